/** A piece of JSON: text, or the encoded content of an attachment, which is inside a string. */
export type JsonPart = string | Blob;

/** The pieces as one request body: a string if all of them are text. */
export function joined(parts: readonly JsonPart[]): JsonPart {
  const [first = '', ...others] = parts;
  if (others.length === 0) return first;
  return parts.every((part) => typeof part === 'string') ? parts.join('') : new Blob(parts as JsonPart[]);
}

/** The JSON with an empty string for each attachment's content. */
export const withoutContents = (parts: readonly JsonPart[]): string =>
  parts.filter((part) => typeof part === 'string').join('');

/** Bytes of the pieces in UTF-8. Measures text without a Blob, because creating one takes several times as long. */
export function bytesOf(parts: readonly JsonPart[]): number {
  const utf8 = new TextEncoder();
  return parts.reduce(
    (sum, part) => sum + (typeof part === 'string' ? utf8.encode(part).length : part.size),
    0,
  );
}
