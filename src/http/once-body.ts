/**
 * A body that can be read only once. Node's `fetch` repeats a request by itself after a 421, before anybody learns of
 * it: a mail would go out twice. It cannot repeat one whose body is a stream. The length is stated, so that the body is
 * not sent in chunks, which not every gateway accepts.
 */
export function onceBody(body: string | Blob | undefined): {
  readonly body: ReadableStream;
  readonly duplex: 'half';
  readonly length: number;
} {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : undefined;
  if (body instanceof Blob) return { body: body.stream(), duplex: 'half', length: body.size };
  const stream = new ReadableStream({
    start: (controller) => {
      if (bytes !== undefined && bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
  return { body: stream, duplex: 'half', length: bytes?.length ?? 0 };
}
