/** The headers of a message, read from nodemailer's written form, so that they equal the headers of an SMTP message. */
import type { Issue } from '../../core/errors.ts';
import { isRecord } from '../../core/record.ts';
import { BY_SERVICE } from './fields.ts';
import type { Mail } from './types.ts';

/** Headers that the email's other fields contain. */
const MADE_OF_FIELDS = ['from', 'to', 'cc', 'bcc', 'subject', 'reply-to'];
/** Headers of the whole message that both nodemailer and the service write. */
const WRITTEN_BY_BOTH = [
  'content-type',
  'content-transfer-encoding',
  'content-disposition',
  'mime-version',
  'date',
  'sender',
];

type Data = Readonly<Record<string, unknown>>;
type Header = readonly [name: string, value: string];

/** The names of the application's headers, in lower case. nodemailer takes an object, a pair, or pairs. */
function applicationNames({ headers }: Data): string[] {
  const keyOf = (one: unknown) => (isRecord(one) && typeof one.key === 'string' ? [one.key] : []);
  const names = Array.isArray(headers)
    ? headers.flatMap(keyOf)
    : isRecord(headers)
      ? headers.key && headers.value
        ? keyOf(headers)
        : Object.keys(headers)
      : [];
  return names.map((name) => name.toLowerCase());
}

/** The headers that nodemailer wrote, each unfolded to one line. */
const allWritten = ({ message }: Mail): Header[] =>
  message
    .buildHeaders()
    .split(/\r?\n(?![ \t])/)
    .map((line) => line.replace(/\r?\n(?=[ \t])/g, ''))
    .map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    });

/** A line break that ends a header: a space or a tab after it would continue the header. */
const HEADER_END = /\r?\n(?![ \t])/;

/**
 * The names of headers with a line break. nodemailer writes a `prepared` header unchanged, so that a line break in it
 * begins another header, or the body.
 */
function broken(mail: Mail): string[] {
  const { message } = mail;
  const data = mail.data as Data;
  const written = allWritten(mail).map(([name]) => name);
  const isBroken = (name: string) => {
    const header = message.getHeader(name);
    return isRecord(header) && Boolean(header.prepared) && HEADER_END.test(String(header.value));
  };
  // `getHeader` returns only the first header of a name. After one of the others, an injected name follows that the
  // message does not have.
  const isRenamed = typeof data.normalizeHeaderKey === 'function';
  const isStray = (name: string | undefined) =>
    name !== undefined && !isRenamed && message.getHeader(name) === undefined;
  const brokenNames = written.filter((name, index) => isBroken(name) || isStray(written[index + 1]));
  const renamed = isRenamed ? applicationNames(data).filter(isBroken) : [];
  return [...new Set([...brokenNames, ...renamed])];
}

/** The headers that nodemailer wrote, without those that the email's other fields contain. */
function writtenHeaders(mail: Mail): Header[] {
  const { message } = mail;
  const data = mail.data as Data;
  const hasMessageId = Boolean(data.messageId) || applicationNames(data).includes('message-id');
  const replyTo = message.getAddresses()['reply-to'] ?? [];
  const isOther = (name: string) =>
    ![...MADE_OF_FIELDS, ...WRITTEN_BY_BOTH, 'message-id'].includes(name) ||
    (name === 'message-id' && hasMessageId) ||
    (name === 'reply-to' && replyTo.length > 1);
  return joinedLists(allWritten(mail).filter(([name]) => isOther(name.toLowerCase())));
}

/** Joins several `List-…` headers of one name into one header with commas (RFC 2369). */
function joinedLists(headers: readonly Header[]): Header[] {
  const joined: Header[] = [];
  for (const [name, value] of headers) {
    const at = /^list-/i.test(name) ? joined.findIndex(([other]) => other === name) : -1;
    const [, before] = joined[at] ?? [];
    if (before === undefined) joined.push([name, value]);
    else joined[at] = [name, `${before}, ${value}`];
  }
  return joined;
}

/** The issues of a message's headers. */
export function headerIssues(mail: Mail): Issue[] {
  const written = writtenHeaders(mail).map(([name]) => name);
  const isSecond = (name: string, index: number) =>
    written.findIndex((other) => other.toLowerCase() === name.toLowerCase()) !== index;
  const issue = (message: string) => (name: string) => ({ path: `headers.${name}`, message });
  const isOfBoth = (name: string) => WRITTEN_BY_BOTH.includes(name);
  return [
    ...[...new Set([...applicationNames(mail.data as Data).filter(isOfBoth), ...addedToBoth(mail)])].map(
      issue(BY_SERVICE),
    ),
    ...[...new Set(written.filter(isSecond))].map(issue('must have one value: the service takes no more')),
    ...broken(mail).map(issue('must not have a line break that begins another header')),
  ];
}

/**
 * The names of headers that a plugin added although the service sets them: a second header of the name, or a `sender`
 * that the message does not have.
 */
function addedToBoth(mail: Mail): string[] {
  const written = allWritten(mail).map(([name]) => name.toLowerCase());
  const { sender } = mail.data as Data;
  const isAdded = (name: string, index: number) =>
    WRITTEN_BY_BOTH.includes(name) && (written.indexOf(name) !== index || (name === 'sender' && !sender));
  return written.filter(isAdded);
}

/** The headers of a message by name; undefined if there are none. */
export function headersOf(mail: Mail): Record<string, string> | undefined {
  const headers = writtenHeaders(mail);
  return headers.length === 0 ? undefined : Object.fromEntries(headers);
}
