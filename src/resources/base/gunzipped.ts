import { streamOfReads } from '../../core/streams.ts';

/** A file's bytes, decompressed if they are gzip. `failure` creates the error for a failure while they are read. */
export async function gunzipped(
  file: ReadableStream<Uint8Array>,
  failure: (cause: unknown) => Error,
): Promise<ReadableStream<Uint8Array>> {
  const source = (file as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  let broken: { readonly cause: unknown } | undefined;
  const fail = (cause: unknown): never => {
    // The error of the file's stream is more precise than the error of its decompression.
    throw failure(broken ? broken.cause : cause);
  };
  let first: ReadableStreamReadResult<Uint8Array<ArrayBuffer>> | undefined = await source.read().catch(fail);
  // Every gzip file begins with this byte, and no text does.
  const isGzip = first.value?.[0] === 0x1f;
  const cancel = (reason: unknown) => source.cancel(reason);
  const whole = streamOfReads(async () => {
    const piece =
      first ??
      (await source.read().catch((cause: unknown) => {
        broken = { cause };
        throw cause;
      }));
    first = undefined;
    return piece;
  }, cancel);
  const format = isGzip ? new DecompressionStream('gzip') : new TransformStream<Uint8Array<ArrayBuffer>>();
  const bytes = whole.pipeThrough(format).getReader();
  return streamOfReads(() => bytes.read().catch(fail), cancel);
}
