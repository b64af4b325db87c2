import {
  encodeBytes,
  encodeStream,
  isBinary,
  isBytes,
  type Binary,
  type ByteStream,
} from '../models/attachment-content.ts';
import { itemsOf } from '../models/items-of.ts';
import { InvalidRequestError } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';
import { tried } from '../core/rules.ts';

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

/** A value as JSON, as it would be in an array: what cannot be JSON, such as undefined, is null. */
const json = (value: unknown): string => JSON.stringify([value]).slice(1, -1);

/** An object as JSON without its closing brace, so that another field can follow. */
const open = (value: object): string => {
  const text = JSON.stringify(value).slice(0, -1);
  return text === '{' ? text : `${text},`;
};

/** The items, separated by commas. */
const list = <Part>(items: readonly (readonly Part[])[]): (Part | string)[] =>
  items.flatMap((item, index) => (index === 0 ? [...item] : [',', ...item]));

function draftAttachment(attachment: unknown, path: string): Draft {
  if (!hasBinaryContent(attachment)) return [json(attachment)];
  const { content, ...rest } = attachment;
  const part = isBytes(content) ? encodeBytes(content) : { path: `${path}.content`, content };
  return [`${open(rest)}"content":"`, part, '"}'];
}

/**
 * An email as JSON. Everything except streams and Blobs is written at once: what the caller changes afterwards is not
 * sent. `path` is the email's path in the caller's arguments.
 */
export function draftMail(mail: unknown, path: string): Draft {
  if (!needsEncoding(mail)) return [json(mail)];
  const attachments = attachmentsOf(mail).map((attachment, index) =>
    draftAttachment(attachment, `${path}attachments[${index}]`),
  );
  return [
    `${open({ ...(mail as object), attachments: undefined })}"attachments":[`,
    ...list(attachments),
    ']}',
  ];
}

/** A batch as JSON, from emails as JSON. */
export const batchJson = <Part>(
  base: readonly Part[] | undefined,
  requests: readonly (readonly Part[])[],
): (Part | string)[] => [
  ...(base === undefined ? ['{'] : ['{"base":', ...base, ',']),
  '"requests":[',
  ...list(requests),
  ']}',
];

const isUnread = (part: JsonPart | Unread): part is Unread => typeof part === 'object' && 'path' in part;

/**
 * Reads the unread attachments, one after the other. When one fails or the signal is aborted, the rest are cancelled.
 */
export async function finish(draft: Draft, operation: string, signal: AbortSignal): Promise<JsonPart[]> {
  const parts: JsonPart[] = [];
  for (const part of draft) {
    if (!isUnread(part)) parts.push(part);
    else {
      try {
        parts.push(await encodeStream(part.content, signal));
      } catch (cause) {
        for (const { content } of draft.filter(isUnread)) {
          if ('cancel' in content && !content.locked)
            (async () => content.cancel(cause))().catch(() => undefined);
        }
        throw new InvalidRequestError([{ path: part.path, message: 'could not be read' }], {
          operation,
          cause,
        });
      }
    }
  }
  return parts;
}

/** The parts as one request body: a string where all of them are text. */
export const joined = (parts: readonly JsonPart[]): JsonPart =>
  parts.every((part) => typeof part === 'string') ? parts.join('') : new Blob(parts as JsonPart[]);
