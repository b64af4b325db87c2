import { streamOfReads } from '../../core/streams.ts';

type Content = Uint8Array<ArrayBuffer> | Blob;

async function* chunksOf(
  content: Content,
  leaves: () => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
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
  return undefined;
}

/**
 * A body that calls `leaves` right before its first byte leaves. Node's `fetch` reads a first chunk before it connects, and
 * the second when it can write. So the first chunk is empty; for an empty chunk Node writes nothing, not even the
 * headers.
 */
export function onceConnected(content: Content, leaves: () => void): ReadableStream {
  const chunks = chunksOf(content, leaves);
  const cancel = async () => {
    await chunks.return(undefined);
  };
  // No buffer: reads a chunk only on demand.
  return streamOfReads(() => chunks.next(), cancel, { highWaterMark: 0 });
}
