/** Text of another program, for a terminal: at most so many bytes, on one line, without control characters. */
export function printable(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  const shown = new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\uFFFD$/, '');
  // Control characters could move the cursor, and bidirectional ones could hide a part of the line.
  const line = shown.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
  return bytes.length > maxBytes ? `${line} … (${bytes.length} bytes)` : line;
}
