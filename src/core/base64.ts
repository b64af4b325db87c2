import { isRecord } from './request.ts';

/** What holds bytes, and is encoded before it is sent. */
export type Binary = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

// Told by their shape, not by `instanceof`: they may come from another realm, or a polyfill.
const isStream = (value: unknown): value is ReadableStream<Uint8Array> =>
  isRecord(value) && typeof value.getReader === 'function';
const isBlob = (value: unknown): value is Blob => isRecord(value) && typeof value.stream === 'function';
const isBuffer = (value: unknown): value is ArrayBuffer =>
  Object.prototype.toString.call(value) === '[object ArrayBuffer]';

/** Whether a value holds bytes. */
export const isBinary = (value: unknown): value is Binary =>
  ArrayBuffer.isView(value) || isBuffer(value) || isBlob(value) || isStream(value);

/** Whether a value is a stream that somebody reads, or has read: its bytes are gone. */
export const isUsedUp = (value: unknown): boolean => isStream(value) && value.locked;

/** Bytes encoded at a time: a multiple of 3, so that padding comes at the very end only. */
const STEP = 3 * 2 ** 16;
/** Arguments that a function can surely be called with. */
const MAX_ARGUMENTS = 2 ** 13;

function base64(bytes: Uint8Array & { readonly toBase64?: () => string }): string {
  if (bytes.toBase64) return bytes.toBase64();
  let text = '';
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS) {
    text += String.fromCharCode(...bytes.subarray(at, at + MAX_ARGUMENTS));
  }
  return btoa(text);
}

/**
 * Encodes bytes as they come, a step at a time. Blobs keep the result: their bytes lie outside the heap, can be sent
 * again, and become part of a body without a copy.
 */
class Encoder {
  readonly #step = new Uint8Array(STEP);
  readonly #blobs: Blob[] = [];
  #filled = 0;

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + STEP - this.#filled);
      this.#step.set(piece, this.#filled);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === STEP) this.#flush();
    }
  }

  end(): Blob {
    this.#flush();
    return new Blob(this.#blobs);
  }

  #flush(): void {
    this.#blobs.push(new Blob([base64(this.#step.subarray(0, this.#filled))]));
    this.#filled = 0;
  }
}

function bytesOf(value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (isBuffer(value)) return new Uint8Array(value);
  throw new TypeError('The stream gave something else than bytes.');
}

/** The bytes as base64: at once where they are at hand, else when they have been read. */
export function encodeBase64(content: Binary, signal: AbortSignal): Blob | Promise<Blob> {
  if (isStream(content)) return encodeStream(content, signal);
  if (isBlob(content)) return encodeStream(content.stream(), signal);
  const encoder = new Encoder();
  encoder.write(bytesOf(content));
  return encoder.end();
}

/** The reader is kept: a stream can be read only once, and whoever tries again is told so by its lock. */
async function encodeStream(stream: ReadableStream<unknown>, signal: AbortSignal): Promise<Blob> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel);
  const encoder = new Encoder();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return encoder.end();
      encoder.write(bytesOf(value));
    }
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
