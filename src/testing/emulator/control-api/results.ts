/** The results of the emulator's methods, and the fields that the control API adds to them. */
import {
  arrayOf,
  flag,
  mapOf,
  number,
  objectOf,
  oneOf,
  or,
  plainObject,
  positive,
  text,
  time,
  wholeFrom,
  type Kinds,
} from '../../declare/kind.ts';
import type { EmulatorInboundInbox } from '../../service/areas/inbound/control-types.ts';
import type { EmulatorDomain } from '../../service/areas/sending-domains/control-types.ts';
import { pendingFault } from '../../service/engine/fault-kind.ts';
import type { EmulatorReceived } from '../../service/areas/inbound/receive.ts';
import type { EmulatorAttachment, EmulatorMessageTemplate } from '../../service/state/emails/mail.ts';
import type { EmulatorMessage } from '../../service/state/emails/outbox.ts';
import type { EmulatorTemplate } from '../../service/areas/templates/area.ts';
import type { EmulatorWebhookPost } from '../../service/state/posts/posts.ts';
import type { EmulatorHost } from '../../service/wire/hosts.ts';
import type { NamedAddress } from '../../reading/content/named-address.ts';
import type { MailCode } from '../../reading/content/codes.ts';
import type { MailLink } from '../../reading/text/mail-link.ts';
import type { SaidInMessage } from '../../reading/content/with-content.ts';
import type { EmulatorRequest, RequestLog } from '../../service/engine/request-log.ts';

type Fields = Record<string, unknown>;

const status = or(number('a status', Number.isInteger, 'integer'), null);

export const pendingFaults = arrayOf('faults', pendingFault);

export const clockState = objectOf<{ now: number; paused: boolean }>({ now: time, paused: flag }, 'all');

export const domains = arrayOf(
  'domains',
  objectOf<EmulatorDomain>({ id: positive, accountId: positive, name: text, verified: flag }, 'all'),
);

export const template = objectOf<EmulatorTemplate>({ id: positive, uuid: text }, 'all');

export const inboundInbox = objectOf<EmulatorInboundInbox>(
  { folderId: positive, inboxId: positive, address: text },
  'all',
);

export const received = arrayOf(
  'places',
  objectOf<EmulatorReceived>({ inboxId: positive, messageId: text, threadId: text }, 'all'),
);

export const webhookPost = objectOf<EmulatorWebhookPost>(
  {
    id: positive,
    webhookId: positive,
    url: text,
    at: time,
    attempt: positive,
    headers: mapOf(text),
    body: text,
    status,
  },
  'all',
);

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
        missing: arrayOf('paths of variables', text),
        unused: arrayOf('paths of variables', text),
      },
      'all',
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
export const messages = arrayOf('emails', objectOf<Fields>({ ...messageFields, attachments }, 'all'));

const shownAttachment = { ...attachmentFields, size: wholeFrom(0), url: text };

/** Emails of test inboxes in a response. */
export const capturedMessages = arrayOf(
  'emails',
  objectOf<Fields>({ ...messageFields, attachments, ...saidFields }),
);

/** Emails in a response. */
export const shownMessages = arrayOf(
  'emails',
  objectOf<Fields>(
    {
      ...messageFields,
      ...saidFields,
      html_url: or(text, null),
      attachments: arrayOf(
        'attachments',
        objectOf<Fields>({ ...shownAttachment, content: text }, Object.keys(shownAttachment)),
      ),
    },
    'all',
  ),
);

/** Emails, as the methods of an emulator in another process return them. */
export const connectedMessages = arrayOf(
  'emails',
  objectOf<Fields>({ ...messageFields, attachments, html_url: or(text, null) }),
);

const requestFields: Kinds<Omit<EmulatorRequest, 'callId'>> = {
  method: text,
  host: oneOf(['api', 'send', 'bulk', 'sandbox', 'storage', 'reader'] satisfies EmulatorHost[]),
  path: text,
  query: text,
  at: time,
  status,
};

/** Requests, as the methods of an emulator return them. */
export const requests = arrayOf(
  'requests',
  objectOf<EmulatorRequest>(
    { ...requestFields, callId: text },
    Object.keys(requestFields) as (keyof typeof requestFields)[],
  ),
);

/** Requests in a response. */
export const shownRequests = arrayOf(
  'requests',
  objectOf<Fields>({
    ...requestFields,
    callId: text,
    durationMs: or(
      number('a number of milliseconds', (ms) => ms >= 0),
      null,
    ),
    headers: mapOf(text),
    body: or(text, null),
  }),
);

/** An email in JSON, with its links and codes. */
export function withSaid(message: EmulatorMessage): Fields {
  try {
    return { ...message, links: message.links, codes: message.codes };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ...message, links: null, codes: null };
  }
}

/** An email in a response: with the addresses of its HTML and its attachments, and their content only if asked for. */
export function shownMessage(
  message: EmulatorMessage,
  links: { readonly html: string; readonly attachment: (index: number) => string },
  withContent: boolean,
): Fields {
  return {
    ...withSaid(message),
    html_url: message.html === null ? null : links.html,
    attachments: message.attachments.map(({ content: base64, ...attachment }, index) => ({
      ...attachment,
      size: Math.floor((base64.replace(/[\s=]/g, '').length * 3) / 4),
      url: links.attachment(index),
      ...(withContent && { content: base64 }),
    })),
  };
}

/** A request in a response, with its details. */
export const shownRequest = (entry: EmulatorRequest, log: RequestLog): Fields => ({
  ...entry,
  ...(log.detailsOf(entry) ?? { durationMs: null, headers: {}, body: null }),
});
