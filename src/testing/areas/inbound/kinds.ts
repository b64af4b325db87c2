import {
  anything,
  arrayOf,
  flag,
  objectOf,
  recordOf,
  oneOf,
  or,
  plainObject,
  positive,
  text,
  time,
} from '../../checks/kind.ts';
import { keptFile } from '../sending/mail-kind.ts';
import type {
  ForwardOutcome,
  FolderRecord,
  InboxRecord,
  MessageRecord,
  RuleCondition,
  RuleRecord,
} from './record.ts';
import type { SavedThread } from './saved-thread-types.ts';

const textOrNull = or(text, null);
const texts = arrayOf('texts', text);

export const folder = recordOf<FolderRecord>({ id: positive, accountId: positive, name: text });

export const inbox = recordOf<InboxRecord>({
  id: positive,
  accountId: positive,
  folderId: positive,
  address: text,
  domainId: or(positive, null),
  name: text,
});

export const rule = recordOf<RuleRecord>({
  id: positive,
  accountId: positive,
  inboxId: positive,
  createdAt: time,
  updatedAt: time,
  name: text,
  conditions: arrayOf(
    'conditions',
    recordOf<RuleCondition>({ match_type: text, operator: text, value: textOrNull, header_key: textOrNull }),
  ),
  destinations: texts,
});

export const message = recordOf<MessageRecord>({
  id: text,
  accountId: positive,
  inboxId: positive,
  threadId: text,
  receivedAt: time,
  from: text,
  to: texts,
  cc: texts,
  bcc: texts,
  replyTo: textOrNull,
  subject: textOrNull,
  rfcId: text,
  inReplyTo: textOrNull,
  references: texts,
  headers: plainObject,
  text: textOrNull,
  html: textOrNull,
  attachments: arrayOf('files', keptFile),
  forwards: arrayOf(
    'forwards',
    recordOf<ForwardOutcome>({
      rule_id: positive,
      rule_name: text,
      destination: text,
      status: oneOf(['forwarded', 'rejected']),
      reason: textOrNull,
      message_id: textOrNull,
    }),
  ),
  isDeleted: flag,
});

/** The threads of a snapshot. */
export const threads = arrayOf(
  'threads',
  recordOf<SavedThread>({
    id: text,
    accountId: positive,
    inboxId: positive,
    subject: textOrNull,
    entries: arrayOf(
      'entries',
      objectOf<{ direction: string; message?: unknown; sent?: unknown }>(
        { direction: oneOf(['inbound', 'outbound']), message: anything, sent: anything },
        ['direction'],
      ),
    ),
  }),
);
