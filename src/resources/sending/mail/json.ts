import { wrongArgument } from '../../../core/errors.ts';
import { isRecord, itemsOf } from '../../../core/record.ts';
import { ignoringFailure, tried } from '../../../core/tried.ts';
import { encodeStream, isBinary, isBytes, type Binary } from './attachment-content.ts';
import type { ByteStream } from '../types.ts';
import type { JsonPart } from '../../../core/json.ts';

/** An attachment that has not been encoded yet. */
interface Unread {
  readonly path: string;
  readonly content: Blob | ByteStream;
}

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

/** Emails before their serialization, without the attachments to encode. */
export interface UnfinishedMails {
  /**
   * The email to serialize, with marks in place of attachments. `path` is the prefix of its fields in the caller's
   * arguments.
   */
  readonly marked: (mail: unknown, path: string) => unknown;
  /**
   * The JSON with its attachments, which are encoded one after the other. A failure or an abort of the signal cancels
   * the rest.
   */
  readonly finished: (json: string, signal: AbortSignal) => Promise<JsonPart[]>;
}

/** Takes attachments out of emails and puts them into their JSON. Copies everything except streams at once. */
export function unfinishedMails(operation: string): UnfinishedMails {
  const attached: Unread[] = [];
  // A unique text that marks the place of an attachment in the JSON.
  const mark = `<${Math.random()}>`;
  const markedAttachment = (attachment: unknown, path: string) => {
    if (!hasBinaryContent(attachment)) return attachment;
    const { content } = attachment;
    attached.push({ path, content: isBytes(content) ? new Blob([content]) : content });
    return { ...attachment, content: `${mark}${attached.length - 1}${mark}` };
  };
  return {
    marked: (mail, path) =>
      needsEncoding(mail)
        ? {
            ...(mail as object),
            attachments: attachmentsOf(mail).map((attachment, index) =>
              markedAttachment(attachment, `${path}attachments[${index}].content`),
            ),
          }
        : mail,
    async finished(json, signal) {
      const parts: JsonPart[] = [];
      let path = '';
      try {
        for (const [index, piece] of json.split(mark).entries()) {
          const unread = index % 2 === 0 ? undefined : attached[Number(piece)];
          path = unread?.path ?? '';
          parts.push(unread ? await encodeStream(unread.content, signal) : piece);
        }
        return parts;
      } catch (cause) {
        for (const { content } of attached)
          if ('cancel' in content) ignoringFailure(() => content.cancel(cause));
        throw wrongArgument(operation, path, 'could not be read', cause);
      }
    },
  };
}
