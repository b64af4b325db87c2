import { readBytes } from '../core/streams.ts';

/** The largest result that is read, in bytes, decompressed. */
export const MAX_RESULT_BYTES = 64 * 2 ** 20;
/** The largest body that is read of an error, or where the status alone matters. */
export const MAX_OTHER_BYTES = 2 ** 20;

/** A response's body as text; undefined if it is larger than `maxBytes`. */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  if (response.body === null) return '';
  const bytes = await readBytes(response.body, maxBytes);
  // Decoded at once, because Node decodes a stream several times as slowly.
  return bytes && new TextDecoder().decode(bytes);
}
