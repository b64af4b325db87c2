/** Reads streams of bytes: whole, or as another stream. */
import { isolated } from './isolated.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A stream of a source. Both are isolated, because a platform would read options of theirs from `Object.prototype`. */
export const streamFrom = <Chunk>(
  source: UnderlyingDefaultSource<Chunk>,
  strategy: QueuingStrategy<Chunk> = {},
): ReadableStream<Chunk> => new ReadableStream(isolated(source), isolated(strategy));

/** A stream of the results of `read`. */
export const streamOfReads = (
  read: () => Promise<ReadableStreamReadResult<Bytes>>,
  cancel: (reason: unknown) => Promise<void>,
  strategy?: QueuingStrategy<Bytes>,
): ReadableStream<Bytes> =>
  streamFrom(
    {
      async pull(controller) {
        const { done, value } = await read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel,
    },
    strategy,
  );

/** The same stream, after its first chunk has arrived. Rejects if the stream fails before. */
export async function begun(stream: ReadableStream<Bytes>): Promise<ReadableStream<Bytes>> {
  const reader = stream.getReader();
  let first: ReadableStreamReadResult<Bytes> | undefined = await reader.read();
  return streamOfReads(
    async () => {
      const piece = first ?? (await reader.read());
      first = undefined;
      return piece;
    },
    (reason) => reader.cancel(reason),
  );
}

/**
 * All bytes of a stream; undefined if there are more than `maxBytes`. Reading stops there, because a small compressed
 * body may be many gigabytes large.
 */
export async function readBytes(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Bytes | undefined> {
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      // Not awaited: reading ends here, even if the cancellation fails.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    pieces.push(value);
  }
  const [only] = pieces;
  if (pieces.length === 1 && only) return only as Bytes;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
