/** The kinds of emails in results and responses. */
import {
  arrayOf,
  mapOf,
  objectOf,
  oneOf,
  or,
  plainObject,
  positive,
  text,
  time,
  wholeFrom,
  type Kinds,
} from '../../../declare/kind.ts';
import type { MailCode } from '../../../reading/content/codes.ts';
import type { NamedAddress } from '../../../reading/content/named-address.ts';
import type { SaidInMessage } from '../../../reading/content/with-content.ts';
import type { MailLink } from '../../../reading/text/mail-link.ts';
import type { EmulatorAttachment, EmulatorMessageTemplate } from './mail.ts';
import type { EmulatorMessage } from './outbox.ts';

const attachmentFields: Kinds<Omit<EmulatorAttachment, 'content'>> = {
  filename: text,
  type: text,
  disposition: oneOf(['attachment', 'inline']),
  contentId: or(text, null),
};

const addresses = arrayOf('addresses', text);
const names = arrayOf('names', or(text, null));

const messageFields: Kinds<Omit<EmulatorMessage, 'attachments' | keyof SaidInMessage>> = {
  id: text,
  number: positive,
  stream: oneOf(['transactional', 'bulk', 'sandbox'] satisfies EmulatorMessage['stream'][]),
  sandboxInboxId: or(positive, null),
  at: time,
  from: text,
  fromName: or(text, null),
  to: text,
  toName: or(text, null),
  reply_to: or(objectOf<NamedAddress>({ email: text, name: or(text, null) }, 'all'), null),
  field: oneOf(['to', 'cc', 'bcc']),
  recipients: objectOf<EmulatorMessage['recipients']>(
    { to: addresses, cc: addresses, toNames: names, ccNames: names },
    'all',
  ),
  subject: text,
  text: or(text, null),
  html: or(text, null),
  givenHtml: or(text, null),
  headers: mapOf(text),
  category: or(text, null),
  customVariables: or(plainObject, null),
  template: or(
    objectOf<EmulatorMessageTemplate>(
      {
        name: text,
        uuid: text,
        locale: text,
        missing: arrayOf('paths of variables', text),
        unused: arrayOf('paths of variables', text),
      },
      ['name', 'uuid', 'missing', 'unused'],
    ),
    null,
  ),
};

/** The content of an email; `null` if its HTML has too many elements to be read. */
const saidFields = {
  links: or(arrayOf('links', objectOf<MailLink>({ url: text, text }, 'all')), null),
  codes: or(
    arrayOf(
      'codes',
      objectOf<MailCode>(
        {
          value: text,
          rank: oneOf(['introduced', 'alone', 'other'] satisfies MailCode['rank'][]),
          reason: text,
        },
        'all',
      ),
    ),
    null,
  ),
};

const attachments = arrayOf(
  'attachments',
  objectOf<EmulatorAttachment>({ ...attachmentFields, content: text }, 'all'),
);

/** Emails, as the methods of an emulator return them. */
export const messages = arrayOf(
  'emails',
  objectOf<Record<string, unknown>>({ ...messageFields, attachments }, 'all'),
);

const shownAttachment = { ...attachmentFields, size: wholeFrom(0), url: text };

/** Emails of test inboxes in a response. */
export const capturedMessages = arrayOf(
  'emails',
  objectOf<Record<string, unknown>>({ ...messageFields, attachments, ...saidFields }),
);

/** Emails in a response. */
export const shownMessages = arrayOf(
  'emails',
  objectOf<Record<string, unknown>>(
    {
      ...messageFields,
      ...saidFields,
      html_url: or(text, null),
      attachments: arrayOf(
        'attachments',
        objectOf<Record<string, unknown>>(
          { ...shownAttachment, content: text },
          Object.keys(shownAttachment),
        ),
      ),
    },
    'all',
  ),
);

/** Emails, as the methods of an emulator in another process return them. */
export const connectedMessages = arrayOf(
  'emails',
  objectOf<Record<string, unknown>>({ ...messageFields, attachments, html_url: or(text, null) }),
);
