import { wrongArgument } from '../../core/errors.ts';
import { isRecord } from '../../core/record.ts';
import { ignoringFailure, tried } from '../../core/tried.ts';
import { encodeStream, isBinary, isBytes, type Binary, type ByteStream } from './attachment-content.ts';
import { itemsOf } from '../../core/items-of.ts';

/** A piece of JSON: text, or an encoded attachment. */
export type JsonPart = string | Blob;

/** An attachment that has not been encoded yet. */
interface Unread {
  readonly path: string;
  readonly content: Blob | ByteStream;
}

/**
 * Returns what is to be written. `marked` is to be called for each email in it, with what comes before the name of a
 * field in the caller's arguments.
 */
export type ValueOf = (marked: (mail: unknown, path: string) => unknown) => unknown;

const attachmentsOf = (mail: unknown): readonly unknown[] =>
  isRecord(mail) ? itemsOf(mail.attachments) : [];

const hasBinaryContent = (attachment: unknown): attachment is { readonly content: Binary } =>
  isRecord(attachment) && isBinary(attachment.content);

/** Whether an email has attachments that have to be encoded before it can be sent. */
export const needsEncoding = (mail: unknown): boolean =>
  tried(
    () => attachmentsOf(mail).some(hasBinaryContent),
    () => false,
  );

/**
 * Emails as JSON, alone or in a batch. Everything except streams is copied at once: what the caller changes afterwards is
 * not sent. Attachments are encoded one after the other. When one fails or the signal is aborted, the rest are cancelled.
 */
export async function mailJson(
  valueOf: ValueOf,
  operation: string,
  signal: AbortSignal,
): Promise<JsonPart[]> {
  const attached: Unread[] = [];
  // Text that nothing else contains: where it is in the JSON, an attachment belongs.
  const mark = `<${Math.random()}>`;
  const marked = (mail: unknown, path: string) =>
    needsEncoding(mail)
      ? {
          ...(mail as object),
          attachments: attachmentsOf(mail).map((attachment, index) => {
            if (!hasBinaryContent(attachment)) return attachment;
            const { content } = attachment;
            attached.push({
              path: `${path}attachments[${index}].content`,
              content: isBytes(content) ? new Blob([content]) : content,
            });
            return { ...attachment, content: `${mark}${attached.length - 1}${mark}` };
          }),
        }
      : mail;
  const parts: JsonPart[] = [];
  let path = '';
  const pieces = JSON.stringify(valueOf(marked)).split(mark);
  try {
    for (const [index, piece] of pieces.entries()) {
      const unread = index % 2 === 0 ? undefined : attached[Number(piece)];
      path = unread?.path ?? '';
      parts.push(unread ? await encodeStream(unread.content, signal) : piece);
    }
    return parts;
  } catch (cause) {
    for (const { content } of attached) if ('cancel' in content) ignoringFailure(() => content.cancel(cause));
    throw wrongArgument(operation, path, 'could not be read', cause);
  }
}

/** The parts as one request body: a string where all of them are text. */
export const joined = (parts: readonly JsonPart[]): JsonPart =>
  parts.every((part) => typeof part === 'string') ? parts.join('') : new Blob(parts as JsonPart[]);
