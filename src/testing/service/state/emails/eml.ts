import { toBase64 } from '../../../encoding/base64.ts';
import { headerOf, type Address, type EmulatorAttachment, type MailContent } from './mail.ts';

/** The parts of a raw message besides its content. */
export interface Envelope {
  /** Makes the boundaries of the message unique. */
  readonly id: string | number;
  /** The `Message-ID` header. */
  readonly messageId: string;
  readonly sentAt: number;
}

/**
 * Writes a raw message (RFC 5322). Own code, because the same seed must give the same bytes, in a browser too. mimetext,
 * which runs in browsers, takes boundaries from `Math.random`, encodes a subject of any length as one word (RFC 2047
 * allows 75 characters), does not fold base64 and does not escape quotes in file names. Nodemailer's composer needs
 * Node's streams.
 */
export function writeEml(mail: MailContent, { id, messageId, sentAt }: Envelope): Uint8Array<ArrayBuffer> {
  const headers = headersOf(mail, messageId, sentAt).map(([name, value]) => `${name}: ${value}`);
  // No encoded body has the `=_` of a boundary.
  return new TextEncoder().encode([...headers, bodyOf(mail, `=_part-${id}`)].join('\r\n'));
}

/** The encoded headers of a raw message, without those of its body. */
export function headersOf(
  { from, replyTo, to, cc, subject, headers }: MailContent,
  messageId: string,
  sentAt: number,
): (readonly [string, string])[] {
  // A header of the email replaces the default one, because a message has each header once.
  const has = (wanted: string) => headerOf(headers, wanted) !== undefined;
  return [
    ['Date', new Date(sentAt).toUTCString().replace('GMT', '+0000')],
    ['From', mailbox(from)],
    ...list('To', to),
    ...list('Cc', cc),
    ...list('Reply-To', replyTo === null || has('reply-to') ? [] : [replyTo]),
    ['Subject', encoded(subject)],
    ...(has('message-id') ? [] : [['Message-ID', messageId] as const]),
    ...Object.entries(headers).map(([name, value]) => [name, encoded(value)] as const),
    ['MIME-Version', '1.0'],
  ];
}

const list = (name: string, addresses: readonly Address[]) =>
  addresses.length === 0 ? [] : [[name, addresses.map(mailbox).join(', ')] as const];

/** The body with its headers, such as `Content-Type`. */
function bodyOf(mail: MailContent, boundary: string): string {
  const bodies = [
    ...(mail.text === null ? [] : [textPart('text/plain', mail.text)]),
    ...(mail.html === null ? [] : [textPart('text/html', mail.html)]),
  ];
  const body = multipart('alternative', `${boundary}-a`, bodies);
  return mail.attachments.length === 0
    ? body
    : multipart('mixed', `${boundary}-m`, [body, ...mail.attachments.map(attachmentPart)]);
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

/** A body, as quoted-printable if that is shorter, as it is for a text with few characters outside ASCII. */
function textPart(type: string, text: string): string {
  const [packed, readable] = [folded(base64(text)), quotedPrintable(text)];
  const isReadable = readable.length <= packed.length;
  return [
    `Content-Type: ${type}; charset=UTF-8`,
    `Content-Transfer-Encoding: ${isReadable ? 'quoted-printable' : 'base64'}`,
    '',
    // White space after base64 says nothing; after a readable body it would be a part of it.
    ...(isReadable ? [readable] : [packed, '']),
  ].join('\r\n');
}

/** Writes a text as quoted-printable. A line break of any form becomes CRLF. */
const quotedPrintable = (text: string): string =>
  text
    .split(/\r\n|\n/)
    .map(quotedLine)
    .join('\r\n');

/** The longest line of a quoted-printable body (RFC 2045). */
const LINE = 76;
const [TAB, SPACE, EQUALS] = [0x09, 0x20, 0x3d];
const DIGITS = '0123456789ABCDEF';

/**
 * A line as quoted-printable, broken by `=` where it is too long: a printable byte as itself, any other one as `=E9`.
 * White space at the end counts as not printable. Works on bytes, because a string for each would be slow in a body of
 * megabytes.
 */
function quotedLine(line: string): string {
  const bytes = new TextEncoder().encode(line);
  // Three for each byte at most, and three for a break after 73 at least.
  const written = new Uint8Array(4 * bytes.length);
  let length = 0;
  let start = 0;
  function write(text: string): void {
    for (let at = 0; at < text.length; at += 1) written[length + at] = text.charCodeAt(at);
    length += text.length;
  }
  for (const [at, byte] of bytes.entries()) {
    const isSpace = byte === SPACE || byte === TAB;
    const isPlain = isSpace ? at < bytes.length - 1 : byte > SPACE && byte < 0x7f && byte !== EQUALS;
    if (length - start + (isPlain ? 1 : 3) >= LINE) {
      write('=\r\n');
      start = length;
    }
    if (isPlain) written[length++] = byte;
    else write(`=${DIGITS[byte >> 4]}${DIGITS[byte & 15]}`);
  }
  return new TextDecoder().decode(written.subarray(0, length));
}

function attachmentPart({ content, filename, type, disposition, contentId }: EmulatorAttachment): string {
  return [
    `Content-Type: ${visibleAscii(type)}`,
    `Content-Disposition: ${disposition}; ${fileName(filename)}`,
    ...(contentId === null ? [] : [`Content-ID: <${visibleAscii(contentId)}>`]),
    'Content-Transfer-Encoding: base64',
    '',
    folded(content.replace(/\s+/g, '')),
    '',
  ].join('\r\n');
}

/** A file name, in the form for other characters (RFC 2231) if it is not plain ASCII. */
function fileName(name: string): string {
  if (name === visibleAscii(name)) return `filename="${name.replace(/["\\]/g, '\\$&')}"`;
  const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return `filename*=UTF-8''${encodeURIComponent(wellFormed(name)).replace(/['()*]/g, percent)}`;
}

/** Replaces lone surrogates, which `encodeURIComponent` refuses. */
const wellFormed = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text));

function mailbox({ email, name }: Address): string {
  if (name === null) return email;
  if (name !== visibleAscii(name)) return `${encoded(name)} <${email}>`;
  // Quotes a name with characters that separate addresses in a list.
  const quoted = /^[\w !#$%&'*+/=?^`{|}~-]*$/.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;
  return `${quoted} <${email}>`;
}

/** The most bytes in an encoded word, whose length is at most 75 characters (RFC 2047). */
const WORD_BYTES = 45;

/** The value of a header: unchanged if it is plain ASCII, else as encoded words. */
function encoded(value: string): string {
  if (value === visibleAscii(value)) return value;
  const words: string[] = [];
  let word = '';
  for (const character of value) {
    if (new TextEncoder().encode(word + character).length > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((part) => `=?UTF-8?B?${base64(part)}?=`).join('\r\n ');
}

function visibleAscii(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '');
}

const base64 = (text: string): string => toBase64(new TextEncoder().encode(text));

function folded(text: string): string {
  return text.match(/.{1,76}/g)?.join('\r\n') ?? '';
}
