/** Reads the files, streams and addresses of a message, and stops reading them. */
import { wrongArgument } from '../../core/errors.ts';
import { isRecord } from '../../core/record.ts';
import { ignoringFailure } from '../../core/tried.ts';
import { listOf, partsOf, sourcesOf } from './refusals.ts';
import type { Mail } from './types.ts';

type Data = Record<string, unknown>;

const LISTS = ['attachments', 'alternatives'];
/** The other fields that nodemailer reads. */
const READ = ['text', 'html', 'icalEvent', 'amp', 'watchHtml'];

/** The fields of a message after nodemailer has read its files, streams and addresses; ignored fields are not read. */
export function normalized(mail: Mail, ignore: readonly string[]): Promise<object> {
  const data = mail.data as Data;
  for (const name of ignore) {
    destroy(data[name]);
    if (name in data) data[name] = undefined;
  }
  // nodemailer takes a single object for a list of one, but reads only objects in lists, and changes the list. `data`
  // is a copy of the caller's fields, but shares the caller's lists.
  for (const name of LISTS) if (data[name]) data[name] = [...listOf(data[name])];
  return new Promise((resolve, reject) =>
    mail.normalize((error, read) => (error ? reject(unreadable(mail, error)) : resolve(read))),
  );
}

/** The error of a message that could not be read, with the name of the part that it is about. */
function unreadable({ data }: Pick<Mail, 'data'>, cause: Error): Error {
  const {
    path: file,
    sourceUrl: url,
    code,
  } = cause as { path?: unknown; sourceUrl?: unknown; code?: unknown };
  const source: unknown = file ?? url;
  const isSource = (one: Readonly<Record<string, unknown>>) => [one.path, one.href].includes(source);
  const [name] =
    partsOf(data as Data).find(([, part]) => source !== undefined && sourcesOf(part).some(isSource)) ?? [];
  const why = typeof code === 'string' ? `cannot be read: ${code}` : 'cannot be read';
  return name === undefined ? cause : wrongArgument('sendMail', name, why, cause);
}

interface NodeStream {
  readonly pipe?: unknown;
  on(event: 'error', listener: () => void): unknown;
  destroy?(): unknown;
}

/** Destroys a part that is a stream, or the stream in its content. */
function destroy(part: unknown): void {
  for (const value of isRecord(part) ? [part, part.content] : []) {
    const stream = value as NodeStream | undefined;
    if (typeof stream?.pipe !== 'function') continue;
    ignoringFailure(() => {
      // A stream's error without a listener would end the process.
      stream.on('error', () => undefined);
      stream.destroy?.();
    });
  }
}

/** Destroys the streams of a message that is not sent: an unread stream would keep its file or connection open. */
export function releaseStreams({ data }: Pick<Mail, 'data'>): void {
  const fields = data as Data;
  for (const name of READ) destroy(fields[name]);
  for (const part of LISTS.flatMap((name) => listOf(fields[name]))) destroy(part);
}

/** Stops reading a message: empties its unread parts, because nodemailer continues with the next part. */
export function stopReading(mail: Mail): void {
  releaseStreams(mail);
  const data = mail.data as Data;
  // Replaced, not removed: nodemailer still uses the part that it has just read.
  const emptyPart = () => ({ content: '' });
  for (const name of READ) if (data[name]) data[name] = emptyPart();
  for (const name of LISTS) {
    const list = data[name];
    if (Array.isArray(list)) for (const index of list.keys()) list[index] = emptyPart();
  }
}
