import { InvalidRequestError } from '../core/errors.ts';
import { tell } from '../core/observers.ts';
import { isRecord } from '../core/record.ts';
import { tried } from '../core/rules.ts';
import {
  encodeBytes,
  encodeStream,
  isBinary,
  isBytes,
  type Binary,
  type ByteStream,
} from '../models/attachment-content.ts';
import { itemsOf } from '../models/items-of.ts';

/** A piece of JSON: text, or an encoded attachment. */
export type JsonPart = string | Blob;

/** An attachment that has not been read yet. */
interface Unread {
  readonly path: string;
  readonly content: Blob | ByteStream;
}

/** JSON in which some attachments have not been read yet. */
export type Draft = readonly (JsonPart | Unread)[];

const attachmentsOf = (mail: unknown): readonly unknown[] =>
  isRecord(mail) ? itemsOf(mail.attachments) : [];

const hasBinaryContent = (attachment: unknown): attachment is { readonly content: Binary } =>
  isRecord(attachment) && isBinary(attachment.content);

/** Whether an email has attachments that have to be encoded before it can be sent. */
export const needsEncoding = (mail: unknown): boolean =>
  tried(() => attachmentsOf(mail).some(hasBinaryContent), false);

/**
 * Emails as JSON, alone or in a batch. Everything except streams and Blobs is written at once: what the caller changes
 * afterwards is not sent.
 *
 * @param valueOf - returns what is to be written; `marked` is to be called for each email in it, with what comes before
 *   the name of a field in the caller's arguments
 */
export function draft(valueOf: (marked: (mail: unknown, path: string) => unknown) => unknown): Draft {
  const attached: (Blob | Unread)[] = [];
  // Text that nothing else contains: where it is in the JSON, an attachment belongs.
  const mark = `<${Math.random()}>`;
  const marked = (mail: unknown, path: string) =>
    needsEncoding(mail)
      ? {
          ...(mail as object),
          attachments: attachmentsOf(mail).map((attachment, index) => {
            if (!hasBinaryContent(attachment)) return attachment;
            const { content } = attachment;
            const at = `${path}attachments[${index}].content`;
            const count = attached.push(isBytes(content) ? encodeBytes(content) : { path: at, content });
            return { ...attachment, content: mark + (count - 1) + mark };
          }),
        }
      : mail;
  return JSON.stringify(valueOf(marked))
    .split(mark)
    .map((piece, index) => (index % 2 === 0 ? piece : (attached[Number(piece)] ?? piece)));
}

const isUnread = (part: JsonPart | Unread): part is Unread => typeof part === 'object' && 'path' in part;

/**
 * Reads the unread attachments, one after the other. When one fails or the signal is aborted, the rest are cancelled.
 */
export async function finish(draft: Draft, operation: string, signal: AbortSignal): Promise<JsonPart[]> {
  const parts: JsonPart[] = [];
  let path = '';
  try {
    for (const part of draft) {
      if (isUnread(part)) {
        path = part.path;
        parts.push(await encodeStream(part.content, signal));
      } else parts.push(part);
    }
    return parts;
  } catch (cause) {
    for (const { content } of draft.filter(isUnread))
      if ('cancel' in content)
        tell(
          (reason) => content.cancel(reason),
          () => cause,
        );
    throw new InvalidRequestError([{ path, message: 'could not be read' }], { operation, cause });
  }
}

/** The parts as one request body: a string where all of them are text. */
export const joined = (parts: readonly JsonPart[]): JsonPart =>
  parts.every((part) => typeof part === 'string') ? parts.join('') : new Blob(parts as JsonPart[]);
