/** A body that ends by itself: the runtime's own body of a text needs `queueMicrotask`, which fake timers replace. */
export const streamOf = (content: string | Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    type: 'bytes',
    start(controller) {
      // A copy: the stream takes its bytes over.
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });

/**
 * The same, for a request. `fetch` sends such a body only with `duplex`. Not in the transport: the emulator, which makes
 * requests of its own, does not load it.
 */
export const ownBody = (content: string | Uint8Array): RequestInit =>
  ({ body: streamOf(content), duplex: 'half' }) as RequestInit;
