/**
 * The treatment of each field of nodemailer's message. This table is the only source: it refuses messages, the guide
 * shows it, and a test compares it with the fields of nodemailer's types.
 */
import type { EmailPlatformFields, IgnorableField } from './message-types.ts';
import type { Mail } from './types.ts';

/** The treatment of a field. */
export type Treatment =
  /** The field becomes a field of the email. */
  | 'mapped'
  /** The field becomes a header, in nodemailer's form. */
  | 'header'
  /** nodemailer uses the field before it calls the transport. */
  | 'nodemailer'
  /** The field decides the written form of a message, which the service decides. The recipient reads the same. */
  | 'no effect'
  /** An email with the field is refused, with an error that names it. */
  | 'refused'
  /** An email with the field is refused, unless the transport's option `ignore` names the field. */
  | 'refused by default';

/** A field of nodemailer's message, or of a part of it. */
export interface Field {
  /** The treatment. */
  readonly treatment: Treatment;
  /** For a refused field, the reason in the error. For another field, its result, for the guide. */
  readonly text: string;
  /** Whether a value equals the service's own value at this time, in milliseconds since 1970. */
  readonly isUsual?: (value: unknown, now: number, mail: Mail) => boolean;
}

const mapped = (text: string): Field => ({ treatment: 'mapped', text });
const header = (text: string): Field => ({ treatment: 'header', text });
const byNodemailer = (text: string): Field => ({ treatment: 'nodemailer', text });
const noEffect: Field = { treatment: 'no effect', text: 'the service writes the message' };
const refused = (text: string): Field => ({ treatment: 'refused', text });
const byDefault = (text: string): Field => ({ treatment: 'refused by default', text });

/** The reason for refusing a header or a field. */
export const BY_SERVICE = 'is set by the service';
const NO_VERSION = 'is not sent: the service sends text and HTML only';
const OF_TRANSPORT = 'is for other transports: the token of the client is used';

/** Accepts `date: new Date()`, which many programs set: the service sets the same date. */
const isAboutNow = (date: unknown, now: number) =>
  Math.abs(new Date(date as string | Date).getTime() - now) <= 60_000;

/** Accepts a `sender` with the address of `from`: nodemailer's `Sender` header would say nothing more. */
const isFrom = (_: unknown, __: number, { message }: Mail) => {
  const { from = [], sender = [] } = message.getAddresses();
  const [one, other] = [from, sender].map((list) =>
    list.map(({ address = '' }) => address.toLowerCase()).join(),
  );
  return one === other;
};

/**
 * Fields that this package adds to nodemailer's message. The transport's option `fromMessage` names the allowed ones.
 */
export const OWN_FIELDS = {
  stream: mapped('the stream that this email is sent on'),
  category: mapped('`category`'),
  customVariables: mapped('`custom_variables`'),
  template: mapped('`template_uuid` and `template_variables`; text is left to your template engine'),
  idempotencyKey: mapped('the option of `sending.send`'),
} satisfies Record<keyof EmailPlatformFields, Field>;

/** Fields that the transport's option `ignore` may name: an email is complete without them. */
export const IGNORABLE_FIELDS = {
  date: { ...byDefault('must be within a minute of now: the service sets it'), isUsual: isAboutNow },
  sender: { ...byDefault('must have the address of `from`: the service sets it'), isUsual: isFrom },
  dkim: byDefault('cannot be used: the service signs with the keys of your domain'),
  _dkim: byDefault('cannot be used: the service signs with the keys of your domain'),
  amp: byDefault(NO_VERSION),
  watchHtml: byDefault(NO_VERSION),
  auth: byDefault(OF_TRANSPORT),
  ses: byDefault(OF_TRANSPORT),
  dsn: byDefault('cannot be requested: read the email log or webhooks for the delivery of an email'),
  requireTLSExtensionEnabled: byDefault('cannot be requested'),
} satisfies Record<IgnorableField, Field>;

/** The fields of a message. */
export const MESSAGE_FIELDS: Readonly<Record<string, Field>> = {
  from: mapped('`from`: one address'),
  to: mapped(
    '`to`; the members of a group, each by itself; an entry without an address, or with a comma in a name without quotes, is refused',
  ),
  cc: mapped('`cc`, as `to`; a recipient who is also in `to` gets one copy'),
  bcc: mapped('`bcc`, as `to`; a recipient who is also in `to` or `cc` gets one copy'),
  replyTo: mapped('`reply_to`; several addresses become the header `Reply-To`'),
  subject: mapped('`subject`'),
  text: mapped('`text`'),
  html: mapped('`html`'),
  attachments: mapped('`attachments`; an image with a `cid` is inline'),
  icalEvent: mapped('an attachment of type `text/calendar`'),
  alternatives: mapped('attachments; each needs a `filename`, except a `text/calendar`'),
  headers: header('as nodemailer writes them; one value each'),
  list: header('`List-Unsubscribe` and so on, one each'),
  inReplyTo: header('`In-Reply-To`'),
  references: header('`References`'),
  messageId: header('`Message-ID`; whether the service keeps it is not published'),
  priority: header('`X-Priority`, `X-MSMail-Priority` and `Importance`'),
  xMailer: header('`X-Mailer`'),
  otp: header('`OTP-Token`'),
  ...OWN_FIELDS,
  attachDataUrls: byNodemailer('turns each image into an attachment'),
  disableFileAccess: byNodemailer('is respected; also an option of the transport'),
  disableUrlAccess: byNodemailer('is respected; also an option of the transport'),
  maxRecipients: byNodemailer('is respected'),
  signal: byNodemailer('ends the call'),
  envelope: mapped('the recipients, as the headers say them; any other is refused'),
  encoding: noEffect,
  textEncoding: noEffect,
  newline: noEffect,
  boundaryPrefix: noEffect,
  baseBoundary: noEffect,
  normalizeHeaderKey: noEffect,
  raw: refused('cannot be sent: the service writes the message'),
  ...IGNORABLE_FIELDS,
};

/** The fields of an attachment, an alternative or an event, and of a body that is an object. */
export const PART_FIELDS: Readonly<Record<string, Field>> = {
  content: mapped('`content`'),
  filename: mapped('`filename`'),
  contentType: mapped('`type`'),
  contentDisposition: mapped('`disposition`'),
  cid: mapped('`content_id`'),
  method: mapped('of an event: the `method` in its type'),
  path: byNodemailer('reads the file, or loads the address'),
  href: byNodemailer('loads the address'),
  httpHeaders: byNodemailer('loads the address with them'),
  tls: byNodemailer('loads the address with them'),
  encoding: byNodemailer('decodes `content`'),
  contentTransferEncoding: noEffect,
  raw: refused('cannot be sent: the service writes the message'),
  headers: refused('cannot be sent: the service takes headers of the email only'),
};
