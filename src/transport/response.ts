/** A response is read: its status and headers, and its body up to a limit. */
import type { ResponseInfo } from '../core/api-promise.ts';
import { begun, readBytes, streamOfReads } from '../core/streams.ts';
import { ignoringFailure } from '../core/tried.ts';
import { readRateLimitHeaders } from './rate-limit.ts';

/** The largest result that is read, in bytes, decompressed. */
export const MAX_RESULT_BYTES = 64 * 2 ** 20;
/** The largest body that is read of an error, or where the status alone matters. */
export const MAX_OTHER_BYTES = 2 ** 20;

/** The part of a response that is kept besides its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
}

/** A response as it arrived: `decode` makes its result, or the error that it stands for. */
export interface Answer {
  readonly response: ResponseHead;
  /**
   * The body: as text, or as bytes or a stream where the decoder asks for these. Undefined if it is too large, if it
   * could not be read and does not matter, or if its end cannot be relied on.
   */
  readonly body: string | Uint8Array | ReadableStream | undefined;
}

/** The end of a call that succeeded: its result, and the response that the result came from. */
export interface Outcome {
  readonly response: ResponseHead;
  readonly result: unknown;
}

/** What a `fetch` of a caller may have as a body in place of a stream of the platform. */
type ForeignBody =
  ReadableStream<Uint8Array<ArrayBuffer>> | AsyncIterable<Uint8Array<ArrayBuffer>> | undefined;

/**
 * The body as a stream of the platform; null if there is none. Those of node-fetch are streams of Node, and some of other
 * polyfills can be had only whole.
 */
async function streamOf(response: Response): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> {
  if (response.body === null) return null;
  const body = response.body as ForeignBody;
  if (body === undefined) return new Blob([await response.arrayBuffer()]).stream();
  if ('getReader' in body) return body;
  const pieces = body[Symbol.asyncIterator]();
  return streamOfReads(
    async () => {
      const step = await pieces.next();
      if (step.done === true) return { done: true, value: undefined };
      // A copy, because a Buffer is only a part of the memory that it shows.
      return { done: false, value: new Uint8Array(step.value) };
    },
    async () => {
      await pieces.return?.();
    },
  );
}

/** Gives up a body that nobody reads. */
export const dropBody = (response: Response): void =>
  ignoringFailure(async () => (await streamOf(response))?.cancel());

/** A response's body as text; undefined if it is larger than `maxBytes`. */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const stream = await streamOf(response);
  if (stream === null) return '';
  const bytes = await readBytes(stream, maxBytes);
  // Decoded at once, because Node decodes a stream several times as slowly.
  return bytes && new TextDecoder().decode(bytes);
}

/**
 * A response's body as bytes, undefined if it is too large; or as a stream, once its first byte is there: an attempt in
 * which none comes within the timeout can still be repeated.
 */
export async function readRaw(response: Response, form: 'bytes' | 'stream') {
  const stream = (await streamOf(response)) ?? new Blob().stream();
  return form === 'stream' ? begun(stream) : readBytes(stream, MAX_RESULT_BYTES);
}

/**
 * The encoding of a body that came compressed although the request declined it, in a runtime whose `fetch` takes the half
 * of such a body for the whole. Undefined where the body's end can be relied on.
 */
export function compressionOf(missesCuts: boolean, { headers }: ResponseHead): string | undefined {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  return missesCuts && !['', 'identity'].includes(encoding) ? encoding : undefined;
}

/** For messages. */
export const contentType = (headers: Headers): string => headers.get('content-type') ?? 'no content type';

/** What `withResponse()` and events tell about a response. */
export function responseInfo({ status, headers }: ResponseHead): ResponseInfo {
  const { resetAfterMs, retryAfterMs, ...rateLimit } = readRateLimitHeaders(headers, Date.now);
  const requestId = headers.get('x-request-id') ?? undefined;
  return { status, headers, requestId, rateLimit: Object.freeze(rateLimit) };
}
