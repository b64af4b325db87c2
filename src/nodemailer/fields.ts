/**
 * What becomes of each field of nodemailer's message. This table is the only place that says it: messages are refused by
 * it, the guide shows it, and a test compares it with the fields of nodemailer's types.
 */
import type { EmailPlatformFields, IgnorableField } from './message-types.ts';

/** What becomes of a field. */
export type Treatment =
  /** It becomes a field of the email. */
  | 'mapped'
  /** It is sent as a header, as nodemailer writes it. */
  | 'header'
  /** nodemailer acts on it, before the transport has the message. */
  | 'nodemailer'
  /** It says how a message is written out, which the service decides: what the recipient reads is the same. */
  | 'no effect'
  /** An email with it is refused, naming the field. */
  | 'refused'
  /** The same, unless the transport's option `ignore` names the field. */
  | 'refused by default';

/** A field of nodemailer's message, or of a part of it. */
export interface Field {
  /** What becomes of it. */
  readonly treatment: Treatment;
  /** For a field that is refused: the reason, as the error has it. Otherwise what it becomes, for the guide. */
  readonly text: string;
  /** Whether a value asks for what the service does by itself at this time, in milliseconds since 1970. */
  readonly isUsual?: (value: unknown, now: number) => boolean;
}

const mapped = (text: string): Field => ({ treatment: 'mapped', text });
const header = (text: string): Field => ({ treatment: 'header', text });
const byNodemailer = (text: string): Field => ({ treatment: 'nodemailer', text });
const noEffect: Field = { treatment: 'no effect', text: 'the service writes the message' };
const refused = (text: string): Field => ({ treatment: 'refused', text });
const byDefault = (text: string): Field => ({ treatment: 'refused by default', text });

/** Why a header or a field is refused. */
export const BY_SERVICE = 'is set by the service';
const NO_VERSION = 'is a version of the body that the service does not send';
const OF_TRANSPORT = 'is for other transports: the token of the client is used';

/** Programs set `date: new Date()`, which is the date that the service sets. */
const isAboutNow = (date: unknown, now: number) =>
  Math.abs(new Date(date as string | Date).getTime() - now) <= 60_000;

/** Fields that this package adds to nodemailer's. A message may have those that the transport's `fromMessage` names. */
export const OWN_FIELDS = {
  stream: mapped('the stream that this email is sent on'),
  category: mapped('`category`'),
  customVariables: mapped('`custom_variables`'),
  template: mapped('`template_uuid` and `template_variables`; text is left to your template engine'),
  idempotencyKey: mapped('the option of `sending.send`'),
} satisfies Record<keyof EmailPlatformFields, Field>;

/** Fields that the transport's `ignore` may name: an email is complete without them. */
export const IGNORABLE_FIELDS = {
  date: { ...byDefault(`${BY_SERVICE}, and may be given within a minute of now`), isUsual: isAboutNow },
  sender: byDefault(BY_SERVICE),
  dkim: byDefault('cannot be used: the service signs with the keys of your domain'),
  _dkim: byDefault('cannot be used: the service signs with the keys of your domain'),
  amp: byDefault(NO_VERSION),
  watchHtml: byDefault(NO_VERSION),
  auth: byDefault(OF_TRANSPORT),
  ses: byDefault(OF_TRANSPORT),
  dsn: byDefault('cannot be asked for: the email log and webhooks tell what became of an email'),
  requireTLSExtensionEnabled: byDefault('cannot be asked for'),
} satisfies Record<IgnorableField, Field>;

/** The fields of a message. */
export const MESSAGE_FIELDS: Readonly<Record<string, Field>> = {
  from: mapped('`from`: one address'),
  to: mapped('`to`; the members of a group, each by itself'),
  cc: mapped('`cc`, as `to`; whoever is in `to` as well gets one copy'),
  bcc: mapped('`bcc`, as `to`; whoever is in `to` or `cc` as well gets one copy'),
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
  attachDataUrls: byNodemailer('makes attachments of the images'),
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
