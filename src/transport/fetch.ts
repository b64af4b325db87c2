import type { KyInstance } from 'ky';
import type { Attempt } from './attempt.ts';
import type { Call } from './call.ts';
import type { CallConfig } from './config.ts';
import type { Answer, Next } from './stage.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import { TimeoutError } from '../core/errors.ts';
import { tried } from '../core/rules.ts';
import { begun, readBytes } from '../core/streams.ts';
import { compressionOf } from './compression.ts';
import { failureOf } from './connection-failure.ts';
import { isolatedAddress, isolatedInit, isolatedOptions } from './isolated-options.ts';
import { sentOnce } from './send-once.ts';
import { MAX_OTHER_BYTES, MAX_RESULT_BYTES, readText } from './read-text.ts';
import { readCounts } from './rate-limit-headers.ts';

/** The headers of an attempt. A caller's headers cannot replace ours: options that try are refused. */
function headersOf({ call, token }: Attempt): Record<string, string> {
  const { userAgent, auth } = call.config;
  return {
    accept: call.request.result.kind === 'body' ? '*/*' : 'application/json',
    ...(call.request.body !== undefined && { 'content-type': 'application/json' }),
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
    ...call.request.options.headers,
    ...(token !== undefined &&
      (auth === 'bearer' ? { authorization: `Bearer ${token}` } : { 'api-token': token })),
  };
}

/** Network errors, and what a browser hides because of `mode: 'no-cors'`, have status 0; so have redirects it hides. */
const isResponse = ({ status, type, headers }: Response) =>
  (status >= 200 || type === 'opaqueredirect') && 'get' in headers && Symbol.iterator in headers;

/**
 * What is fetched as it is, rather than parsed, is asked for uncompressed: a cut is then a connection that breaks off.
 * A browser leaves this header out.
 */
const AS_IT_IS = { 'accept-encoding': 'identity' };

const MAX_REDIRECTS = 5;

/** Where a redirect of a signed URL leads, if that may be fetched: there is no token that could go along. */
function redirectOf(config: CallConfig, { status, headers }: Response, from: string): string | undefined {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  const url = location === null ? undefined : tried(() => new URL(location, from), undefined);
  return url && config.mayFetch(url) ? url.href : undefined;
}

/** Keeps where a signed URL leads secret, whether or not that is followed. */
function noteRedirect(call: Call, { headers }: Response): void {
  const location = headers.get('location');
  if (call.request.signedUrl !== undefined && location !== null) (call.redirects ??= []).push(location);
}

/**
 * The `fetch` for ky. Made outside the attempt, because Node's keeps it until the next full garbage collection, and with
 * it what it closes over: the call, and by it the response.
 */
const fetchWith =
  (config: CallConfig, more: RequestInit, signal: AbortSignal): typeof fetch =>
  (input, init) => {
    const send = config.fetch ?? fetch;
    return send(input, isolatedInit(config, input, { ...init, ...more, signal }));
  };

/**
 * Sends one request and reads the response's body, within the attempt's timeout.
 *
 * ky is loaded at the first call, not at import, because it creates a Request as it loads. It gets a signal of the
 * attempt, never the caller's: its listener would stay there for as long as that signal lives.
 */
export function httpStage(): Next {
  let ky: KyInstance | undefined;
  return async (attempt) => {
    const { call, permit } = attempt;
    const { config } = call;
    const { operation, method, address, body, result, signedUrl, isOwn } = call.request;
    const controller = new AbortController();
    const { signal } = controller;
    // Set once the status alone decides the outcome: a body that never ends, or an abort, does not change it then.
    let accepted: Answer | undefined;

    const exchange = async (): Promise<Answer> => {
      const send = (ky ??= (await import('./load-ky.ts')).ky);
      signal.throwIfAborted();
      call.check();
      call.attempts += 1;
      call.isInFlight = true;
      const once = sentOnce(config.fetchRepeats, call.request);
      const asItIs = result.kind === 'body' ? AS_IT_IS : {};
      const options = {
        method,
        headers: { ...(isOwn && headersOf(attempt)), ...asItIs, ...once.headers },
        redirect: (signedUrl !== undefined && config.fetchFollows ? 'follow' : 'manual') as RequestRedirect, // the token would go along
        retry: 0, // every attempt takes a permit, and the policy decides on it
        timeout: false as const, // ours also covers the body, and runs on an injected clock
        throwHttpErrors: false, // ours hold nothing that was sent
        // One that is an object is given to fetch itself: ky would merge it with what a polluted prototype has.
        ...(typeof body === 'string' && { body }),
        // A caller's fetch finds it in its request. ky would combine it with one of its own, which is expensive.
        ...(config.fetch && { signal }),
        fetch: fetchWith(config, { ...(body instanceof Blob && { body }), ...once.init }, signal),
      };
      const follow = async (url: string, redirects: number, sentWith = options): Promise<Response> => {
        const response = await send(isolatedAddress(url), isolatedOptions(config, sentWith));
        noteRedirect(call, response);
        const target = redirects > 0 ? redirectOf(config, response, url) : undefined;
        if (target === undefined) return response;
        response.body?.cancel().catch(() => undefined);
        // The token and our headers are for the first address only.
        return follow(target, redirects - 1, { ...options, headers: asItIs });
      };
      const response = await follow(address, signedUrl === undefined ? 0 : MAX_REDIRECTS);
      if (!isResponse(response)) throw new TypeError(`fetch returned no response: status ${response.status}`);
      // After a 429 the permit ends later: the body says which pool to close, and that has to be done first.
      if (response.status !== 429) permit?.end('answered', readCounts(response.headers));
      if (!response.ok || result.kind === 'none') {
        accepted = { response };
        return { response, text: await readText(response, MAX_OTHER_BYTES).catch(() => undefined) };
      }
      if (result.kind === 'body' && compressionOf(config, response)) {
        response.body?.cancel().catch(() => undefined);
        return { response };
      }
      if (result.kind !== 'body' || result.form === 'text')
        return { response, text: await readText(response, MAX_RESULT_BYTES) };
      const stream = response.body ?? new Blob().stream();
      // A stream has its first byte within the timeout, so that an attempt at which none comes is repeated.
      const data = await (result.form === 'stream' ? begun(stream) : readBytes(stream, MAX_RESULT_BYTES));
      return { response, data };
    };

    try {
      return await call.wait(exchange(), 'waiting for its response', call.timeoutMs);
    } catch (error) {
      controller.abort(error);
      if (accepted) return accepted;
      // What was sent is read only to redact what others have said of it.
      const isOurs = error instanceof EmailPlatformError;
      const failure = isOurs ? error : failureOf(operation, error, await attempt.redaction());
      const isSent = call.isInFlight && failure.effect === 'unknown';
      const isTimeout = failure instanceof TimeoutError && failure.kind === 'attempt';
      const ending = isTimeout ? 'timedOut' : 'abandoned';
      permit?.end(isSent ? ending : 'neverSent');
      throw failure;
    } finally {
      call.isInFlight = false;
    }
  };
}
