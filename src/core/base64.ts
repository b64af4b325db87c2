import { isRecord } from './record.ts';

/** A web stream of bytes, as far as it is used here: the DOM's and Node's are types of their own to the compiler. */
export interface ByteStream {
  /** Whether somebody reads it, or has. */
  readonly locked: boolean;
  /** Begins to read it. */
  getReader(): {
    /** The next piece. */
    read(): Promise<{
      /** Whether there is no further piece. */
      done: boolean;
      /** The piece. */
      value?: Uint8Array | undefined;
    }>;
    /** Gives up reading. */
    cancel(reason?: unknown): Promise<void>;
  };
  /** Gives it up unread. */
  cancel(reason?: unknown): Promise<void>;
}

/** What holds bytes, and is encoded before it is sent. */
export type Binary = Uint8Array | ArrayBuffer | Blob | ByteStream;

// Told by their shape, not by `instanceof`: they may come from another realm, or a polyfill.
const isStream = (value: unknown): value is ByteStream =>
  isRecord(value) && typeof value.getReader === 'function';
const isBlob = (value: unknown): value is Blob => isRecord(value) && typeof value.stream === 'function';

/** Whether a value is bytes at hand. */
export const isBytes = (value: unknown): value is ArrayBufferView | ArrayBuffer =>
  ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === '[object ArrayBuffer]';

/** Whether a value holds bytes. */
export const isBinary = (value: unknown): value is Binary =>
  isBytes(value) || isBlob(value) || isStream(value);

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

const view = (bytes: ArrayBufferView | ArrayBuffer): Uint8Array =>
  ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);

/** Bytes at hand as base64. */
export function encodeBytes(bytes: ArrayBufferView | ArrayBuffer): Blob {
  const encoder = new Encoder();
  encoder.write(view(bytes));
  return encoder.end();
}

/**
 * Bytes to be read as base64; ends early, and cancels the stream, with the signal. A stream stays locked: it can be read
 * only once, and whoever tries again is told so by its lock.
 */
export async function encodeStream(content: Blob | ByteStream, signal: AbortSignal): Promise<Blob> {
  const reader = (isBlob(content) ? content.stream() : content).getReader();
  const cancel = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel);
  const encoder = new Encoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // A stream that was cancelled says that it is done.
      signal.throwIfAborted();
      if (done) return encoder.end();
      if (!isBytes(value)) throw new TypeError('The stream produced something other than bytes.');
      encoder.write(view(value));
    }
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
