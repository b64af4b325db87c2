/** Reads a response: its status, its headers, and its body up to a limit. */
import type { ResponseInfo } from '../core/api-promise.ts';
import { begun, bytesOfBody } from '../core/streams.ts';
import { ignoringFailure } from '../core/tried.ts';
import { readRateLimitHeaders } from './rate-limit.ts';
import { streamOf } from './runtimes/foreign-response.ts';

/** The size limit of a result, in bytes, decompressed. */
export const MAX_RESULT_BYTES = 64 * 2 ** 20;
/** The size limit in bytes for the body of an error, or of a response whose status is sufficient. */
export const MAX_OTHER_BYTES = 2 ** 20;

/** The part of a response that is kept besides its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
}

/** A response before decoding. */
export interface Answer {
  readonly response: ResponseHead;
  /**
   * The body as text, or in the decoder's form: bytes or a stream. Undefined if it is too large, if it could not be
   * read and does not matter, or if it may be truncated.
   */
  readonly body: string | Uint8Array | ReadableStream | undefined;
}

/** The end of a call that succeeded: its result, and the response that the result came from. */
export interface Outcome {
  readonly response: ResponseHead;
  readonly result: unknown;
}

/** Cancels a body that will not be read. */
export const dropBody = (response: Response): void =>
  ignoringFailure(async () => (await streamOf(response))?.cancel());

/** A response's body as text; undefined if it is larger than `maxBytes`. */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const stream = await streamOf(response);
  if (stream === null) return '';
  const bytes = await bytesOfBody(stream, maxBytes);
  // Decoded in one piece, because Node decodes a stream several times slower.
  return bytes && new TextDecoder().decode(bytes);
}

/**
 * A response's body as bytes, or as a stream; undefined if the bytes exceed the limit. Waits for the first byte of a
 * stream: an attempt that receives none within its timeout can still be repeated.
 */
export async function readRaw(response: Response, form: 'bytes' | 'stream') {
  const stream = (await streamOf(response)) ?? new Blob().stream();
  return form === 'stream' ? begun(stream) : bytesOfBody(stream, MAX_RESULT_BYTES);
}

/** For messages. */
export const contentType = (headers: Headers): string => headers.get('content-type') ?? 'no content type';

/** The facts of a response for `withResponse()` and events. */
export function responseInfo({ status, headers }: ResponseHead): ResponseInfo {
  const { resetAfterMs, retryAfterMs, ...rateLimit } = readRateLimitHeaders(headers, Date.now);
  const requestId = headers.get('x-request-id') ?? undefined;
  return { status, headers, requestId, rateLimit: Object.freeze(rateLimit) };
}
