import { afterMessage, ofStopped, stoppedBodies } from './stopped.ts';

/** The result of a read, which must be there in the next turns: nothing else would ever wake it. */
const within = <T>(read: Promise<T>, failure: (message: string) => Error, names: string): Promise<T> =>
  new Promise((resolve, reject) => {
    read.then(resolve, reject);
    afterMessage(() => afterMessage(() => reject(failure(ofStopped(names)))));
  });

/**
 * All bytes of a stream; undefined if there are more than `maxBytes`. Reading stops there, because a small compressed
 * body may be many gigabytes large.
 *
 * @param failure - Makes the error for a body that would never end.
 */
export async function readBytes(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  failure: (message: string) => Error = (message) => new Error(message),
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  let names: string | undefined;
  for (;;) {
    const { done, value } = await (names === undefined
      ? reader.read()
      : within(reader.read(), failure, names));
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      // Not awaited: reading ends here, even if the cancellation fails.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    pieces.push(value);
    // While `queueMicrotask` does not run, a body that Node made of a text never ends, or brings its text again and again.
    if (names !== undefined) throw failure(ofStopped(names));
    if (pieces.length === 1) names = await stoppedBodies();
  }
  const [only] = pieces;
  if (pieces.length === 1 && only) return only as Uint8Array<ArrayBuffer>;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
