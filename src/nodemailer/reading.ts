/** Reading what a message refers to, and leaving it. */
import { isRecord } from '../core/record.ts';
import { ignoringFailure } from '../core/tried.ts';
import { listOf } from './refusals.ts';
import type { Mail } from './types.ts';

type Data = Record<string, unknown>;

const LISTS = ['attachments', 'alternatives'];
/** All that nodemailer reads. */
const READ = ['text', 'html', 'icalEvent', 'amp', 'watchHtml'];

/** The fields of a message, once nodemailer has read all that they refer to, but for those ignored. */
export function normalized(mail: Mail, ignore: readonly string[]): Promise<object> {
  const data = mail.data as Data;
  for (const name of ignore) {
    destroy(data[name]);
    if (name in data) data[name] = undefined;
  }
  // It takes a single object for a list of one, but reads only those in lists, and changes the list. The fields are a copy
  // of the caller's, and the lists are not.
  for (const name of LISTS) if (data[name]) data[name] = [...listOf(data[name])];
  return new Promise((resolve, reject) =>
    mail.normalize((error, read) => (error ? reject(error) : resolve(read))),
  );
}

interface NodeStream {
  readonly pipe?: unknown;
  on(event: 'error', listener: () => void): unknown;
  destroy?(): unknown;
}

/** Ends the stream that a part is, or that it has as its content. */
function destroy(part: unknown): void {
  for (const value of isRecord(part) ? [part, part.content] : []) {
    const stream = value as NodeStream | undefined;
    if (typeof stream?.pipe !== 'function') continue;
    ignoringFailure(() => {
      // An error without a listener would end the process.
      stream.on('error', () => undefined);
      stream.destroy?.();
    });
  }
}

/** Ends the streams of a message that is not sent: an unread one would keep its file open, or its connection. */
export function releaseStreams({ data }: Pick<Mail, 'data'>): void {
  const fields = data as Data;
  for (const name of READ) destroy(fields[name]);
  for (const part of LISTS.flatMap((name) => listOf(fields[name]))) destroy(part);
}

/** Leaves what has not been read of a message: nodemailer goes on to the next part when one has arrived. */
export function stopReading(mail: Mail): void {
  releaseStreams(mail);
  const data = mail.data as Data;
  // Not removed: nodemailer looks at the part that it has just read.
  const nothing = () => ({ content: '' });
  for (const name of READ) if (data[name]) data[name] = nothing();
  for (const name of LISTS) {
    const list = data[name];
    if (Array.isArray(list)) for (const index of list.keys()) list[index] = nothing();
  }
}
