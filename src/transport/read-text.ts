/** The largest result that is read, in bytes, decompressed. */
export const MAX_RESULT_BYTES = 64 * 2 ** 20;
/** The largest body that is read of an error, or where the status alone matters. */
export const MAX_OTHER_BYTES = 2 ** 20;

/**
 * A response's body as text; undefined if it is larger than `maxBytes`. What is beyond is not read: a small compressed
 * body may be many gigabytes large.
 */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      // Not waited for: whatever it comes to, nothing more is read.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(value);
  }
  // Decoded at once, because Node decodes a stream several times as slowly.
  const decoder = new TextDecoder();
  if (chunks.length === 1) return decoder.decode(chunks[0]);
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return decoder.decode(whole);
}
