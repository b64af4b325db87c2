/** Streams of bytes. */
import { readBytes } from '../kit/read-bytes.ts';
import { ResponseFormatError } from './errors.ts';
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

/** All bytes of a response's body; undefined if there are more than `maxBytes`. */
export const bytesOfBody = (
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Bytes | undefined> =>
  readBytes(stream, maxBytes, (message) => new ResponseFormatError(message, { effect: 'unknown' }));
