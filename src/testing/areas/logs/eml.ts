import type { Address, EmulatorAttachment, MailContent } from '../sending/mail.ts';
import type { LogRecord } from './record.ts';
import { rfcMessageId } from './view.ts';

/** The raw message (RFC 5322), as it was sent to its recipient. */
export function sourceOf(record: LogRecord): Uint8Array<ArrayBuffer> {
  const { content } = record.mail;
  if (content instanceof Uint8Array) return content;
  const { id, sentAt: at } = record;
  return messageSource(content ?? placeholder(record), { id, at, rfcId: rfcMessageId(record) });
}

/** The raw message with this content. */
export function messageSource(
  said: MailContent,
  { id, at, rfcId }: { readonly id: string; readonly at: number; readonly rfcId: string },
): Uint8Array<ArrayBuffer> {
  const { from, replyTo, to, cc, subject, headers, attachments } = said;
  const boundary = `part-${id}`;
  const bodies = [
    ...(said.text === null ? [] : [textPart('text/plain', said.text)]),
    ...(said.html === null ? [] : [textPart('text/html', said.html)]),
  ];
  const body = multipart('alternative', `${boundary}-a`, bodies);
  const whole =
    attachments.length === 0
      ? body
      : multipart('mixed', `${boundary}-m`, [body, ...attachments.map(attachmentPart)]);
  const lines = [
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `From: ${mailbox(from)}`,
    ...(to.length === 0 ? [] : [`To: ${to.map(mailbox).join(', ')}`]),
    ...(cc.length === 0 ? [] : [`Cc: ${cc.map(mailbox).join(', ')}`]),
    ...(replyTo === null ? [] : [`Reply-To: ${mailbox(replyTo)}`]),
    `Subject: ${encoded(subject)}`,
    `Message-ID: ${rfcId}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${encoded(value)}`),
    'MIME-Version: 1.0',
    whole,
  ];
  return new TextEncoder().encode(lines.join('\r\n'));
}

/** Content for a message of which only the envelope is known. */
function placeholder({ to, mail }: LogRecord): MailContent {
  const address = (email: string) => ({ email, name: null });
  return {
    from: address(mail.from),
    replyTo: null,
    to: [address(to)],
    cc: [],
    subject: mail.subject ?? '',
    text: 'Hello\n',
    html: null,
    headers: {},
    attachments: [],
  };
}

/** Joins parts to a multipart body. A single part stays as it is. */
function multipart(kind: 'alternative' | 'mixed', boundary: string, parts: readonly string[]): string {
  if (parts.length === 0) return textPart('text/plain', '');
  const [only = ''] = parts;
  if (parts.length === 1) return only;
  return [
    `Content-Type: multipart/${kind}; boundary="${boundary}"`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, part]),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

function textPart(type: string, text: string): string {
  return [
    `Content-Type: ${type}; charset=UTF-8`,
    'Content-Transfer-Encoding: base64',
    '',
    folded(base64(text)),
    '',
  ].join('\r\n');
}

function attachmentPart({ content, filename, type, disposition, contentId }: EmulatorAttachment): string {
  return [
    `Content-Type: ${printable(type)}`,
    `Content-Disposition: ${disposition}; filename="${encoded(filename.replaceAll('"', "'"))}"`,
    ...(contentId === null ? [] : [`Content-ID: <${printable(contentId)}>`]),
    'Content-Transfer-Encoding: base64',
    '',
    folded(content.replace(/\s+/g, '')),
    '',
  ].join('\r\n');
}

function mailbox({ email, name }: Address): string {
  return name === null ? email : `${encoded(name)} <${email}>`;
}

/** The value of a header: as it is, or as an encoded word if it is not plain ASCII. */
function encoded(value: string): string {
  return value === printable(value) ? value : `=?UTF-8?B?${base64(value)}?=`;
}

function printable(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '');
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function folded(text: string): string {
  return text.match(/.{1,76}/g)?.join('\r\n') ?? '';
}
