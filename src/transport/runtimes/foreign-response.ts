/** Responses of a caller's `fetch`, which may be of another realm, a polyfill's, or none. */
import { streamOfReads } from '../../core/streams.ts';
import { readFrom, tried } from '../../core/tried.ts';

/** Network errors, opaque responses of `mode: 'no-cors'` and redirects that a browser hides have status 0. */
const isResponse = (value: unknown): value is Response =>
  tried(() => {
    const { status, type, headers } = value as Response;
    return (status >= 200 || type === 'opaqueredirect') && 'get' in headers && Symbol.iterator in headers;
  }) ?? false;

/** Whether a status is that of a redirect. A browser gives a redirect that it hides the status 0. */
export const isRedirect = (status: number): boolean => status < 200 || (status >= 300 && status < 400);

/** A result of `fetch` that is no response, for an error. */
function described(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const status = readFrom(value, 'status');
  return typeof status === 'number' ? `status ${status}` : 'an object without a status';
}

/** The response; throws for any other value. */
export function checkedResponse(value: unknown): Response {
  if (isResponse(value)) return value;
  throw new TypeError(`fetch returned no response: ${described(value)}`);
}

/** The body of a caller's `fetch`, if it is not a stream of the platform. */
type ForeignBody =
  | ReadableStream<Uint8Array<ArrayBuffer>>
  | AsyncIterable<Uint8Array<ArrayBuffer>>
  | undefined;

/**
 * The body as a stream of the platform; null if there is none. node-fetch has streams of Node; some other polyfills
 * give only the whole body.
 */
export async function streamOf(response: Response): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> {
  if (response.body === null) return null;
  const body = response.body as ForeignBody;
  if (body === undefined) return new Blob([await response.arrayBuffer()]).stream();
  if ('getReader' in body) return body;
  const pieces = body[Symbol.asyncIterator]();
  return streamOfReads(
    async () => {
      const step = await pieces.next();
      if (step.done === true) return { done: true, value: undefined };
      // A copy, because a Buffer may be a view of shared memory.
      return { done: false, value: new Uint8Array(step.value) };
    },
    async () => {
      await pieces.return?.();
    },
  );
}
