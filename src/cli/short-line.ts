import { oneLine } from '../kit/one-line.ts';

/** Makes text of another program safe for a terminal: at most `maxBytes` bytes, on one line. */
export function shortLine(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  const shown = new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\uFFFD$/, '');
  const line = oneLine(shown);
  return bytes.length > maxBytes ? `${line} … (${bytes.length} bytes)` : line;
}
