/** Makes the key of an email, with the hash that identifies its content. */
import type { Key } from '../../../core/request.ts';
import type { JsonPart } from '../../../core/json.ts';
import { builtinModule } from '../../../core/platform.ts';
import { RECIPIENT_FIELDS } from '../../../core/reach.ts';
import { isRecord, itemsOf } from '../../../core/record.ts';
import type { Destination, WrittenMail } from '../../../core/sending-journal.ts';
import type { Journal } from '../../../core/journal.ts';

/** Version of the hash algorithm. Hashes of different versions are not compared. */
const HASH_VERSION = 1;

/** The part of `node:crypto` that this file uses. */
interface NodeCrypto {
  readonly createHash: (algorithm: 'sha256') => {
    update(content: string | Uint8Array): { digest(form: 'hex'): string };
  };
}

/**
 * SHA-256 of a text or of encoded content, in hexadecimal. Uses `node:crypto` if it is there: Web Crypto uses a
 * thread for each text, and makes a batch of 500 emails wait several times longer than its database does.
 */
export async function digest(content: JsonPart): Promise<string> {
  const bytes = typeof content === 'string' ? content : new Uint8Array(await content.arrayBuffer());
  const node = builtinModule('node:crypto') as NodeCrypto | undefined;
  if (node) return node.createHash('sha256').update(bytes).digest('hex');
  const encoded = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', encoded));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Reads a written email, with hashes in place of the contents of its attachments. `pick` selects the email from the
 * parsed JSON.
 */
export async function readWritten(
  parts: readonly JsonPart[],
  pick = (written: WrittenMail): unknown => written,
): Promise<WrittenMail> {
  // Encoded content may be large, so it is hashed instead of decoded. A random mark stands before its hash.
  const mark = `<${crypto.randomUUID()}>`;
  const texts: string[] = [];
  for (const part of parts) texts.push(typeof part === 'string' ? part : mark + (await digest(part)));
  const written = pick(JSON.parse(texts.join('')) as WrittenMail);
  const hashed = async (attachment: unknown) => {
    if (!isRecord(attachment) || typeof attachment.content !== 'string') return attachment;
    const { content } = attachment;
    const hash = content.startsWith(mark) ? content.slice(mark.length) : await digest(content);
    return { ...attachment, content: hash };
  };
  const withHashes = async (mail: WrittenMail) =>
    Array.isArray(mail.attachments)
      ? { ...mail, attachments: await Promise.all(itemsOf(mail.attachments).map(hashed)) }
      : mail;
  return withHashes(isRecord(written) ? written : {});
}

/** A value of JSON with sorted fields. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

/** JSON with sorted fields, so that equal values give equal text. */
const canonical = (value: unknown): string => JSON.stringify(sorted(value));

/** Makes the key of a written email. An email has the same hash alone and in a batch. */
export async function keyFor(
  { namespace, variable }: Journal,
  key: string,
  written: WrittenMail,
  { stream, sandboxInboxId }: Destination,
): Promise<Key> {
  const { custom_variables: all, ...mail } = written;
  const { [variable]: _, ...variables } = isRecord(all) ? all : {};
  const inbox = stream === 'sandbox' ? sandboxInboxId : null;
  const content = Object.keys(variables).length > 0 ? { ...mail, custom_variables: variables } : mail;
  const hash = await digest(canonical([HASH_VERSION, namespace, stream, inbox, content]));
  const recipients = RECIPIENT_FIELDS.flatMap((field) => itemsOf(mail[field]))
    .map((address) => (isRecord(address) ? address.email : undefined))
    .filter((email) => typeof email === 'string');
  return { key, hash: `${HASH_VERSION}:${hash}`, recipients, stream };
}

/** Whether two emails may have the same content: hashes of different versions are not compared. */
export const mayBeSame = (hash: string, other: string): boolean =>
  hash === other || hash.split(':')[0] !== other.split(':')[0];
