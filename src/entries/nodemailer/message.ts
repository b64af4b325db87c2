/** Converts a message of nodemailer to parameters of `sending.send`. */
import { isRecord } from '../../core/record.ts';
import type { Attachment, SendOptions, SendParams } from '../../resources/sending/types.ts';
import { envelopeOf, inOneLine, mailboxesOf } from './addresses.ts';
import { isCalendar, listOf } from './refusals.ts';
import type { EmailPlatformFields } from './message-types.ts';
import type { Mail, SentEnvelope } from './types.ts';

/** A part after nodemailer has read it: bytes are base64, text is unchanged. */
interface Part {
  readonly content?: unknown;
  readonly encoding?: unknown;
  readonly filename?: unknown;
  readonly contentType?: unknown;
  readonly contentDisposition?: unknown;
  readonly cid?: unknown;
  readonly method?: unknown;
}

/** A message after nodemailer has read it. */
interface Data extends EmailPlatformFields {
  readonly text?: unknown;
  readonly html?: unknown;
  readonly attachments?: unknown;
  readonly alternatives?: unknown;
  readonly icalEvent?: unknown;
}

/** An email, the options to send it with, and its envelope. */
export interface Email {
  readonly params: SendParams;
  readonly options: SendOptions;
  readonly envelope: SentEnvelope;
}

/** Converts a message after nodemailer has read its files and addresses. The caller has read its headers before. */
export function emailOf({ message }: Mail, fieldsRead: object, headers: Email['params']['headers']): Email {
  const data = fieldsRead as Data;
  const addresses = message.getAddresses();
  const { from, to, cc, bcc, replyTo } = mailboxesOf(addresses);
  const [onlyReplyTo] = replyTo.length === 1 ? replyTo : [];
  const { stream, idempotencyKey, category, customVariables, template } = data;
  const reference = isRecord(template) ? template : undefined;
  const attachments = attachmentsOf(data);
  const fields = {
    from,
    to,
    ...(cc.length > 0 && { cc }),
    ...(bcc.length > 0 && { bcc }),
    reply_to: onlyReplyTo,
    subject: line(textOf(message.getHeader('subject'))),
    text: textOf(data.text),
    html: textOf(data.html),
    ...(attachments.length > 0 && { attachments }),
    headers,
    category,
    custom_variables: customVariables,
    template_uuid: reference?.uuid,
    template_variables: reference?.variables,
  };
  return {
    // `sending.send` checks which fields may be combined.
    params: fields as SendParams,
    options: { stream, ...(idempotencyKey !== undefined && { idempotencyKey }) },
    envelope: envelopeOf(addresses),
  };
}

/** nodemailer's names for the fields of an email. */
const NODEMAILER_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^reply_to\b/, 'replyTo'],
  [/^custom_variables\b/, 'customVariables'],
  [/^template_(uuid|variables)\b/, 'template.$1'],
  [/^(attachments\[\d+\])\.type$/, '$1.contentType'],
  [/^(attachments\[\d+\])\.disposition$/, '$1.contentDisposition'],
  [/^(attachments\[\d+\])\.content_id$/, '$1.cid'],
];

/** The path of an email's field, in the names of nodemailer's message. */
export const nodemailerNameOf = (path: string): string =>
  NODEMAILER_NAMES.reduce((name, [wire, replacement]) => name.replace(wire, replacement), path);

/**
 * A text; undefined if it is empty or missing, as in nodemailer. Decodes bytes, because nodemailer decodes only a
 * Buffer.
 */
function textOf(value: unknown): string | undefined {
  const content = isRecord(value) && !ArrayBuffer.isView(value) ? value.content : value;
  if (ArrayBuffer.isView(content)) return new TextDecoder().decode(content);
  if (typeof content === 'number' || typeof content === 'boolean') return String(content);
  return typeof content === 'string' && content !== '' ? content : undefined;
}

/** A text in one line; any other value as it is, for the check of the email. */
const line = <T>(value: T): T => (typeof value === 'string' ? (inOneLine(value) as T) : value);

function attachmentsOf({ attachments, icalEvent, alternatives }: Data): Attachment[] {
  const event = isRecord(icalEvent) ? icalEvent : icalEvent ? { content: icalEvent } : undefined;
  return [
    ...(listOf(attachments) as Part[]).map(attachmentOf),
    ...(event ? [eventOf(event)] : []),
    ...(listOf(alternatives) as Part[]).map((part) =>
      isCalendar(part.contentType) ? eventOf(part) : attachmentOf(part),
    ),
  ];
}

function attachmentOf(part: Part): Attachment {
  const { filename, contentType, cid } = part;
  const type = typeof contentType === 'string' ? contentType : undefined;
  const isInline =
    part.contentDisposition === undefined
      ? /^message\//i.test(type ?? '') || (Boolean(cid) && /^image\//i.test(type ?? ''))
      : part.contentDisposition === 'inline';
  return {
    content: contentOf(part),
    filename: line(filename) as string,
    ...(type !== undefined && { type }),
    ...(isInline && { disposition: 'inline' }),
    ...(Boolean(cid) && { content_id: line(cid) as string }),
  };
}

/** A calendar event. Its type has the method, so that mail programs show an invitation. */
function eventOf(part: Part): Attachment {
  const method = typeof part.method === 'string' ? part.method.trim().toUpperCase() : 'PUBLISH';
  return {
    content: contentOf(part),
    filename: typeof part.filename === 'string' && part.filename !== '' ? line(part.filename) : 'invite.ics',
    type: isCalendar(part.contentType)
      ? (part.contentType as string)
      : `text/calendar; charset=utf-8; method=${method}`,
  };
}

/** Content in the form that `sending.send` takes: base64 and bytes unchanged, text as its bytes. */
function contentOf({ content, encoding }: Part): Attachment['content'] {
  if (typeof content === 'string') return encoding === 'base64' ? content : new TextEncoder().encode(content);
  // nodemailer replaces empty content by the part itself.
  return isRecord(content) && !ArrayBuffer.isView(content) ? '' : (content as Attachment['content']);
}
