/** Encodings of bytes and texts. */

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let from = 0; from < bytes.length; from += 8192) {
    binary += String.fromCharCode(...bytes.subarray(from, from + 8192));
  }
  return btoa(binary);
}

/** Decodes base64, which may have line breaks. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(/\s/.test(text) ? text.replace(/\s+/g, '') : text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
