/**
 * Keeps the token out of the files that a page receives. Nothing else does: a result of JSON is decoded and searched, but
 * a file is passed on byte by byte, with a status of success. A gateway in front of the service that echoes a request,
 * with its headers, in place of a file would give the page the token. The call's `TokenSearch` finds the usual forms of it.
 */
import type { ClientPort } from '../../client/port.ts';
import type { TokenSearch } from '../../core/request.ts';

/**
 * Smallest size of a searched piece in bytes. The bytes before it are searched again, so small pieces would cost
 * more.
 */
const MIN_PIECE = 2 ** 16;

/** The end of a forwarded file. `error` is undefined if the file was complete, or if the page stopped reading. */
export interface FileEnd {
  readonly error?: unknown;
}

/**
 * Forwards a file piece by piece, and searches each piece for the token first; null if the file is empty. The stream
 * fails if it finds the token, or if no bytes arrive for the timeout of an attempt.
 *
 * Awaits the first piece, and throws its error. Calls `onEnd` at the end of a file that was returned.
 */
export async function searchedFile(
  file: ReadableStream<Uint8Array>,
  tokens: TokenSearch,
  port: Pick<ClientPort, 'timeoutMs' | 'runtime'>,
  onEnd: (end: FileEnd) => void,
): Promise<ReadableStream<Uint8Array> | null> {
  const reader = file.getReader();
  const stop = (reason?: unknown) => {
    // Not awaited: its result does not matter.
    reader.cancel(reason).catch(() => undefined);
  };
  const nextPiece = piecesOf(reader, tokens, port);
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
 * Returns the next searched piece; undefined at the end. Holds back the last bytes, in which a token may begin, and
 * searches them together with the next piece.
 */
function piecesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  tokens: TokenSearch,
  { timeoutMs, runtime }: Pick<ClientPort, 'timeoutMs' | 'runtime'>,
): () => Promise<Uint8Array | undefined> {
  const reach = tokens.reach();
  // Searches bytes as characters. A token is ASCII, which is the same in every encoding that contains ASCII.
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

/** Joins the parts into one array. */
function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

/** Resolves with the promise's value; rejects after `ms` milliseconds. */
function within<T>(ms: number, { setTimer }: ClientPort['runtime'], promise: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stopTimer = setTimer(ms, () => reject(new Error(`Nothing more of the file came within ${ms} ms.`)));
    promise.then(resolve, reject).finally(stopTimer);
  });
}
