import { isolated } from '../core/isolated.ts';
import type { PreparedRequest } from './call.ts';
import type { CallConfig } from './config.ts';

/** What is added to a request. */
interface SentOnce {
  readonly headers: { readonly 'content-length'?: string };
  /** For `fetch` itself, over what is in the `Request`: Bun does not heed `keepalive` there. */
  readonly init: RequestInit;
}

const NOTHING: SentOnce = { headers: {}, init: {} };

/**
 * Keeps `fetch` from sending a request again by itself, before anybody learns of it: a mail would go out twice. Node's
 * does so after a 421, unless the body is a stream; the length is stated, because not every gateway accepts chunks.
 * Bun's and Deno's do so when a connection breaks that was used before, and whatever then happens is the error. Bun's
 * does not on a connection of its own; Deno's does not with a Blob, which keeps its length, unlike a stream.
 */
export function sentOnce(runtime: CallConfig['fetchRepeats'], request: PreparedRequest): SentOnce {
  const { method, isRepeatable, body = '' } = request;
  if (method === 'GET' || runtime === undefined) return NOTHING;
  if (runtime === 'bun') return { ...NOTHING, init: { keepalive: false } };
  if (runtime === 'deno') return { ...NOTHING, init: { body: new Blob([body]) } };
  // Of an email that may come more than once, the retries allowed are all the copies: these would be more.
  if (isRepeatable && method !== 'POST') return NOTHING;
  if (body instanceof Blob) return stated(body.stream(), body.size);
  const bytes = new TextEncoder().encode(body);
  const start = (controller: ReadableStreamDefaultController) => {
    if (bytes.length > 0) controller.enqueue(bytes);
    controller.close();
  };
  return stated(new ReadableStream(isolated({ start })), bytes.length);
}

const stated = (body: ReadableStream, length: number): SentOnce => ({
  init: { body, duplex: 'half' } as RequestInit,
  headers: { 'content-length': String(length) },
});
