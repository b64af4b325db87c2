import { isolated } from '../../core/isolated.ts';

/**
 * A body that calls `leaves` right before its first byte leaves. Node's `fetch` reads a first chunk before it connects, and
 * the second when it can write. So the first chunk is empty; for an empty chunk Node writes nothing, not even the
 * headers.
 */
export function onceConnected(content: Uint8Array | Blob, leaves: () => void): ReadableStream {
  const chunks = (async function* () {
    yield new Uint8Array();
    leaves();
    if (!(content instanceof Blob)) {
      if (content.length > 0) yield content;
    } else {
      for await (const chunk of content.stream()) {
        leaves(); // again for each chunk, because reading a Blob takes time
        yield chunk;
      }
    }
  })();
  const pull = async (controller: ReadableStreamDefaultController) => {
    const { done, value } = await chunks.next();
    if (done === true) controller.close();
    else controller.enqueue(value);
  };
  const cancel = async () => {
    await chunks.return();
  };
  // No buffer: reads a chunk only on demand.
  return new ReadableStream(isolated({ pull, cancel }), isolated({ highWaterMark: 0 }));
}
