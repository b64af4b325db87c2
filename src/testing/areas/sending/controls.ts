import {
  arrayOf,
  mapOf,
  objectOf,
  oneOf,
  or,
  plainObject,
  positive,
  recordOf,
  text,
  time,
} from '../../checks/kind.ts';
import { control, needed } from '../../control.ts';
import type { EmulatorControls, EmulatorMessageFilter } from '../../emulator-types.ts';
import { waitMs } from '../../waiters.ts';
import type { EmulatorAttachment } from './mail.ts';
import { shown, type Copy, type EmulatorMessage } from './outbox.ts';

const stream = oneOf(['transactional', 'bulk', 'sandbox'] satisfies EmulatorMessage['stream'][]);

/** An email, as {@link Emulator.messages} returns it. */
export const messages = arrayOf(
  'emails',
  recordOf<EmulatorMessage>({
    id: text,
    stream,
    sandboxInboxId: or(positive, null),
    at: time,
    from: text,
    to: text,
    field: oneOf(['to', 'cc', 'bcc']),
    subject: text,
    text: or(text, null),
    html: or(text, null),
    givenHtml: or(text, null),
    headers: mapOf(text),
    attachments: arrayOf(
      'attachments',
      recordOf<EmulatorAttachment>({
        content: text,
        filename: text,
        type: text,
        disposition: oneOf(['attachment', 'inline']),
        contentId: or(text, null),
      }),
    ),
    category: or(text, null),
    customVariables: or(plainObject, null),
  }),
);

const messageFilter = objectOf<EmulatorMessageFilter>({ to: text, stream, since: time, waitMs }, ['waitMs']);

/** Whether an email is one that is waited for. Many may wait, and many emails may be there, so it looks at little. */
function fitting({ to, stream: wanted, since = -Infinity }: Omit<EmulatorMessageFilter, 'waitMs'>) {
  const address = to?.toLowerCase();
  return ({ recipient: { email }, stream: own, at }: Pick<Copy, 'recipient' | 'stream' | 'at'>) =>
    at >= since &&
    (wanted === undefined || own === wanted) &&
    (address === undefined || email.toLowerCase() === address);
}

/** What a test can see of the emails that were accepted. */
export const sendingControls = {
  messages: control<EmulatorControls['messages']>(
    { line: 'GET /messages', as: 'messages' },
    'Returns every accepted email, one for each recipient, oldest first.',
    {},
    messages,
    ({ outbox }) => outbox.messages(),
  ),
  waitForMessages: control<EmulatorControls['waitForMessages']>(
    { line: 'GET /messages', spread: 'filter', as: 'messages' },
    'Returns the emails that fit as soon as there is one, and none if there is none in time.',
    { filter: needed(messageFilter) },
    messages,
    async ({ outbox, arrivals }, { waitMs: most, ...filter }, signal?: AbortSignal) => {
      const fits = fitting(filter);
      const there = outbox.copies(fits);
      const found =
        there.length > 0 ? there : await arrivals.wait(fits, most, signal, filter.to?.toLowerCase());
      return found.map(shown);
    },
  ),
};
