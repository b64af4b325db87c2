/** A stream of what `read` gives. */
const streamOf = (
  read: () => Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>>,
  cancel: (reason: unknown) => Promise<void>,
) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel,
  });

/**
 * A file's bytes, decompressed if they are gzip: `fetch` has done that already where the response says so. Whatever
 * fails while they are read becomes the error that `failure` makes of it.
 */
export async function gunzipped(
  file: ReadableStream<Uint8Array> | null,
  signal: AbortSignal | undefined,
  failure: (cause: unknown) => Error,
): Promise<ReadableStream<Uint8Array>> {
  const fail = (cause: unknown): never => {
    throw failure(cause);
  };
  const source = (file ?? new Blob().stream()).getReader() as ReadableStreamDefaultReader<
    Uint8Array<ArrayBuffer>
  >;
  let first: ReadableStreamReadResult<Uint8Array<ArrayBuffer>> | undefined = await source.read().catch(fail);
  // No text begins with this byte, and every gzip file does.
  const isGzip = first.value?.[0] === 0x1f;
  const cancel = (reason: unknown) => source.cancel(reason);
  const whole = streamOf(async () => {
    const chunk = first ?? (await source.read());
    first = undefined;
    return chunk;
  }, cancel);
  const format = isGzip ? new DecompressionStream('gzip') : new TransformStream<Uint8Array<ArrayBuffer>>();
  const bytes = whole.pipeThrough(format, signal && { signal }).getReader();
  return streamOf(() => bytes.read().catch(fail), cancel);
}
