import type { ClientPort } from '../client/port.ts';

/** So many bytes at least are gathered before they are searched: small pieces would be searched again and again. */
const MIN_PIECE = 2 ** 16;

/** How a file that was being passed on ended: by an error, by itself, or because the page wanted no more of it. */
export interface FileEnd {
  readonly error?: unknown;
}

/**
 * A file as it is passed on, piece by piece, each searched for the token before it goes; null if it is empty. It ends
 * with an error where the token is found, or where the file stands still for as long as an attempt may last.
 *
 * The first piece is awaited, and throws here what is wrong with it. `onEnd` is told how a file ended that was returned.
 */
export async function searchedFile(
  file: ReadableStream<Uint8Array>,
  port: Pick<ClientPort, 'tokens' | 'timeoutMs' | 'runtime'>,
  onEnd: (end: FileEnd) => void,
): Promise<ReadableStream<Uint8Array> | null> {
  const reader = file.getReader();
  const stop = (reason?: unknown) => {
    // Not waited for: whatever it comes to, nothing more is read.
    reader.cancel(reason).catch(() => undefined);
  };
  const nextPiece = piecesOf(reader, port);
  let piece: Uint8Array | undefined;
  try {
    piece = await nextPiece();
  } catch (error) {
    stop(error);
    throw error;
  }
  if (piece === undefined) return null;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        piece ??= await nextPiece();
        if (piece === undefined) {
          controller.close();
          onEnd({});
        } else controller.enqueue(piece);
        piece = undefined;
      } catch (error) {
        stop(error);
        controller.error(error);
        onEnd({ error });
      }
    },
    cancel: (reason) => {
      stop(reason);
      onEnd({});
    },
  });
}

/**
 * Reads the next piece that was searched; undefined at the end. The bytes in which a token may begin that goes on in the
 * next piece are held back until they have been searched together with it.
 */
function piecesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { tokens, timeoutMs, runtime }: Pick<ClientPort, 'tokens' | 'timeoutMs' | 'runtime'>,
): () => Promise<Uint8Array | undefined> {
  const { reach } = tokens;
  // Bytes are searched as characters: those of a token are the same in every encoding that has ASCII in it.
  const decoder = new TextDecoder('latin1');
  let held: Uint8Array[] = [];
  let size = 0;
  let isOver = false;
  return async () => {
    while (!isOver && size < reach + MIN_PIECE) {
      const { done, value } = await within(timeoutMs, runtime, reader.read());
      if (done) isOver = true;
      else {
        held.push(value);
        size += value.byteLength;
      }
    }
    if (size === 0) return undefined;
    const whole = joined(held, size);
    if (tokens.areIn(decoder.decode(whole))) throw new Error('The file contains the token.');
    size = isOver ? 0 : reach;
    held = [whole.subarray(whole.length - size)];
    return whole.subarray(0, whole.length - size);
  };
}

/** The bytes in one piece. */
function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** What a promise resolves to; rejects if that takes too long. */
function within<T>(ms: number, { setTimer }: ClientPort['runtime'], promise: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stopTimer = setTimer(ms, () => reject(new Error(`Nothing more of the file came within ${ms} ms.`)));
    promise.then(resolve, reject).finally(stopTimer);
  });
}
