/**
 * Makes text of another program safe for a terminal: at most `maxBytes` bytes, on one line, without control
 * characters.
 */
export function printable(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  const shown = new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\uFFFD$/, '');
  // Control characters can move the cursor, and bidirectional ones can hide a part of the line.
  const line = shown.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
  return bytes.length > maxBytes ? `${line} … (${bytes.length} bytes)` : line;
}
