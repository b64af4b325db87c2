import { isRecord } from '../../../core/record.ts';
import { ignoringFailure } from '../../../core/tried.ts';
import { unlessAborted } from '../../../core/abort-watcher.ts';
import type { ByteStream } from '../types.ts';

/** Binary content, base64-encoded before it is sent. */
export type Binary = Uint8Array<ArrayBuffer> | ArrayBuffer | Blob | ByteStream;

// Recognized by shape, not by `instanceof`: the value may come from another realm or a polyfill.
const isStream = (value: unknown): value is ByteStream =>
  isRecord(value) && typeof value.getReader === 'function';
const isBlob = (value: unknown): value is Blob => isRecord(value) && typeof value.stream === 'function';

/** Whether a value is bytes in memory. */
export const isBytes = (value: unknown): value is Uint8Array<ArrayBuffer> | ArrayBuffer =>
  isRecord(value) && typeof value.byteLength === 'number';

/** Whether a value is binary content. */
export const isBinary = (value: unknown): value is Binary =>
  isBytes(value) || isBlob(value) || isStream(value);

/** The bytes of a Buffer that went through JSON, which wrote it as a list of numbers; any other value as it is. */
export function bufferOfJson(value: unknown): unknown {
  if (!isRecord(value) || value.type !== 'Buffer' || !Array.isArray(value.data)) return value;
  const bytes = Uint8Array.from(value.data as number[]);
  return bytes.every((byte, index) => byte === (value.data as unknown[])[index]) ? bytes : value;
}

/** The line length of encoders that break lines, except for the last line. */
const isFullLine = ({ length }: string) => length >= 60 && length <= 76;

/**
 * Whether text may be base64: its length without line breaks is a multiple of 4, and it has white space only at the
 * line breaks of encoders. Many decoders accept other text too and return wrong bytes.
 */
export function mayBeBase64(text: string): boolean {
  if (!/\s/.test(text)) return text.length % 4 === 0;
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const [first = ''] = lines;
  const last = lines.at(-1) ?? '';
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  const isBroken =
    isFullLine(first) && lines.slice(1, -1).every(isFullLine) && last !== '' && last.length <= 76;
  return length % 4 === 0 && isBroken && !lines.some((line) => /\s/.test(line));
}

/**
 * Bytes encoded at a time: a multiple of 3, so that padding occurs only at the very end, and a number of arguments that
 * every engine accepts in one function call.
 */
const STEP = 3 * 2 ** 12;

/**
 * Reads a Blob or a stream and encodes it as base64, step by step. The result is in Blobs: their bytes are outside the
 * heap, can be sent again, and become part of a body without a copy. Aborting the signal ends the read and cancels the
 * stream. A stream stays locked, so that a second read fails instead of returning no bytes.
 */
export async function encodeStream(content: Blob | ByteStream, signal: AbortSignal): Promise<Blob> {
  signal.throwIfAborted();
  const reader = (isBlob(content) ? content.stream() : content).getReader();
  const cancel = (reason: unknown) => reader.cancel(reason);
  const encoded: Blob[] = [];
  const encode = (bytes: Uint8Array) => {
    // Spread arguments would be ten times slower.
    const text = Reflect.apply(String.fromCharCode, undefined, bytes) as string;
    encoded.push(new Blob([btoa(text)]));
  };
  const read = async () => {
    try {
      let rest = new Uint8Array();
      for (;;) {
        const { done, value } = await reader.read();
        // A cancelled stream reports that it is done.
        signal.throwIfAborted();
        if (done) break;
        if (!isBytes(value)) throw new TypeError('A stream must produce bytes.');
        rest = new Uint8Array(await new Blob([rest, value]).arrayBuffer());
        for (; rest.length >= STEP; rest = rest.subarray(STEP)) encode(rest.subarray(0, STEP));
      }
      encode(rest);
      return new Blob(encoded);
    } catch (error) {
      ignoringFailure(() => cancel(error));
      throw error;
    }
  };
  // Ends the wait itself, because a stream may ignore its cancellation.
  return unlessAborted(signal, read(), cancel);
}
