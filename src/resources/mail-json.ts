import {
  encodeBytes,
  encodeStream,
  isBinary,
  isBytes,
  type Binary,
  type ByteStream,
} from '../core/base64.ts';
import { InvalidRequestError } from '../core/errors.ts';
import { isRecord } from '../core/record.ts';

/** A piece of JSON: text, or an attachment that was encoded. */
export type JsonPart = string | Blob;

/** An attachment that has yet to be read. */
interface Unread {
  readonly path: string;
  readonly content: Blob | ByteStream;
}

/** JSON as far as it can be written at once. */
export type Draft = readonly (JsonPart | Unread)[];

const attachmentsOf = (mail: unknown): readonly unknown[] =>
  isRecord(mail) && Array.isArray(mail.attachments) ? mail.attachments : [];

const holdsBytes = (attachment: unknown): attachment is { readonly content: Binary } =>
  isRecord(attachment) && isBinary(attachment.content);

/** Whether anything in a mail has to be encoded before it can be sent. */
export const needsEncoding = (mail: unknown): boolean => attachmentsOf(mail).some(holdsBytes);

/** A value as JSON, as it would stand in a list: what has none is null. */
const json = (value: unknown): string => JSON.stringify([value]).slice(1, -1);

/** An object as JSON without its end, so that another field can follow. */
const open = (value: object): string => {
  const text = JSON.stringify(value).slice(0, -1);
  return text === '{' ? text : `${text},`;
};

/** The items with commas between. */
const list = <Part>(items: readonly (readonly Part[])[]): (Part | string)[] =>
  items.flatMap((item, index) => (index === 0 ? [...item] : [',', ...item]));

function draftAttachment(attachment: unknown, path: string): Draft {
  if (!holdsBytes(attachment)) return [json(attachment)];
  const { content, ...rest } = attachment;
  const part = isBytes(content) ? encodeBytes(content) : { path: `${path}.content`, content };
  return [`${open(rest)}"content":"`, part, '"}'];
}

/**
 * A mail as JSON. All but streams and files is written at once: what the caller changes afterwards is not sent. `path`
 * is where the mail stands in the caller's arguments.
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

/** A batch as JSON, of mails that are. */
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

/** Reads what has yet to be read, one after the other. When one fails, or the signal ends it, the others are cancelled. */
export async function finish(draft: Draft, operation: string, signal: AbortSignal): Promise<JsonPart[]> {
  const parts: JsonPart[] = [];
  for (const part of draft) {
    if (!isUnread(part)) parts.push(part);
    else {
      try {
        parts.push(await encodeStream(part.content, signal));
      } catch (cause) {
        for (const { content } of draft.filter(isUnread)) {
          if ('cancel' in content && !content.locked) void content.cancel(cause).catch(() => undefined);
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

/** The parts as the body of a request: text where they are text. */
export const joined = (parts: readonly JsonPart[]): JsonPart =>
  parts.every((part) => typeof part === 'string') ? parts.join('') : new Blob(parts as JsonPart[]);
