/** Sends one request with ky, and reads the response's body, within the attempt's timeout. */
import type { KyInstance } from 'ky';
import { EmailPlatformError } from '../core/error-base.ts';
import { stopwatch } from '../core/steady-time.ts';
import { tried } from '../core/tried.ts';
import type { Attempt } from './attempt.ts';
import type { CallConfig } from './config.ts';
import { failureOf } from './errors.ts';
import {
  headersOf,
  isolatedAddress,
  isolatedInit,
  isolatedOptions,
  sentOnce,
  type SentOnce,
} from './fetch-options.ts';
import { checkPermit, endAnswered, endUnanswered } from './permit.ts';
import {
  compressionOf,
  dropBody,
  MAX_OTHER_BYTES,
  MAX_RESULT_BYTES,
  readRaw,
  readText,
  type Answer,
} from './response.ts';

/** Network errors, opaque responses of `mode: 'no-cors'` and redirects that a browser hides have status 0. */
const isResponse = ({ status, type, headers }: Response) =>
  (status >= 200 || type === 'opaqueredirect') && 'get' in headers && Symbol.iterator in headers;

/**
 * Requests files uncompressed: a truncated file then breaks its connection, which every runtime notices. A browser
 * drops this header.
 */
const UNCOMPRESSED = { 'accept-encoding': 'identity' };

const MAX_REDIRECTS = 5;

/** The target of a signed URL's redirect, if the client may fetch it. The request carries no token. */
function redirectOf(config: CallConfig, { status, headers }: Response, from: string): string | undefined {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  const url = location === null ? undefined : tried(() => new URL(location, from));
  return url && config.mayFetch(url) ? url.href : undefined;
}

/** Redacts the target of a signed URL's redirect, even if it is not followed. */
function noteRedirect({ call, request }: Attempt, { headers }: Response): void {
  const location = headers.get('location');
  if (request.signedUrl !== undefined && location !== null) call.addressed(location);
}

/**
 * The `fetch` for ky. Separate function, so that its closure does not retain the call and its response: Node keeps the
 * closure until the next full garbage collection.
 */
const fetchWith =
  (config: CallConfig, more: RequestInit, signal: AbortSignal): typeof fetch =>
  (input, init) => {
    const send = config.fetch ?? fetch;
    return send(input, isolatedInit(config, input, { ...init, ...more, signal }));
  };

/**
 * The body for ky. An object goes to `fetch` directly, because ky would merge it with the fields of a polluted
 * prototype. A body in a special form for `fetch` does too, because ky would convert it to a stream and tee that. A
 * caller's `fetch` always finds the text in its request.
 */
function bodyForKy({ call, body }: Attempt, { init }: SentOnce): { readonly body?: string } {
  return typeof body === 'string' && (call.config.fetch || !('body' in init)) ? { body } : {};
}

/**
 * Makes the function that sends an attempt and reads the response's body.
 *
 * ky is loaded at the first call, because it creates a Request as it loads. It gets the attempt's signal: its listener
 * would stay on the caller's signal for the signal's lifetime.
 */
export function createExchange(): (attempt: Attempt) => Promise<Answer> {
  let ky: KyInstance | undefined;
  return async (attempt) => {
    const { call, request, body } = attempt;
    const { config } = call;
    const { operation, method, address, decoder, signedUrl, carriesToken, timeoutMs } = request;
    const controller = new AbortController();
    const { signal } = controller;
    // Set when the status alone decides the outcome: an endless body or an abort no longer changes it.
    let accepted: Answer | undefined;
    // Set if no time is left when the connection stands. `fetch` then fails with an error of its own.
    let tooLate: unknown;
    const elapsedMs = stopwatch(config.runtime);
    // The clocks decide: a process stopped while it connected runs this before its timers. The lease has not ended then
    // either: it exceeds the timeout by the longest time that an attempt may take before this check.
    const checkTime = () => {
      try {
        call.check();
        if (elapsedMs() >= timeoutMs) throw call.late('timeout', timeoutMs);
      } catch (error) {
        tooLate = error;
        throw error;
      }
    };

    const exchange = async (): Promise<Answer> => {
      const send = (ky ??= (await import('./load-ky.ts')).ky);
      signal.throwIfAborted();
      call.check();
      attempt.checkClaim();
      checkPermit(attempt);
      call.sent();
      const once = sentOnce(config.fetchRepeats, attempt, checkTime);
      const fileHeaders = decoder.kind === 'body' ? UNCOMPRESSED : {};
      const options = {
        method,
        headers: { ...(carriesToken && headersOf(attempt)), ...fileHeaders, ...once.headers },
        redirect: (signedUrl !== undefined && config.fetchFollows ? 'follow' : 'manual') as RequestRedirect, // the token would go with it
        retry: 0, // each attempt takes a permit, and the policy decides on retries
        timeout: false as const, // the attempt's timeout also covers the body, and runs on an injected clock
        throwHttpErrors: false, // errors of this package contain no part of the request
        ...bodyForKy(attempt, once),
        // Only for a caller's `fetch`, which reads the signal of its request: ky combines it with a signal of its own,
        // which is expensive.
        ...(config.fetch && { signal }),
        fetch: fetchWith(config, { ...(body instanceof Blob && { body }), ...once.init }, signal),
      };
      const follow = async (url: string, redirects: number, sentWith = options): Promise<Response> => {
        const response = await send(isolatedAddress(url), isolatedOptions(config, sentWith));
        noteRedirect(attempt, response);
        const target = redirects > 0 ? redirectOf(config, response, url) : undefined;
        if (target === undefined) return response;
        dropBody(response);
        // Only the first address gets the token and the client's headers.
        return follow(target, redirects - 1, { ...options, headers: fileHeaders });
      };
      const response = await follow(address, signedUrl === undefined ? 0 : MAX_REDIRECTS);
      if (!isResponse(response)) throw new TypeError(`fetch returned no response: status ${response.status}`);
      endAnswered(attempt, response);
      if (!response.ok || decoder.kind === 'nothing') {
        accepted = { response, body: undefined };
        return { response, body: await readText(response, MAX_OTHER_BYTES).catch(() => undefined) };
      }
      const { form = 'text' } = decoder;
      if (decoder.kind === 'body' && compressionOf(config.missesCuts, response)) {
        dropBody(response);
        return { response, body: undefined };
      }
      if (decoder.kind !== 'body' || form === 'text')
        return { response, body: await readText(response, MAX_RESULT_BYTES) };
      return { response, body: await readRaw(response, form) };
    };

    try {
      return await call.wait(exchange(), 'waiting for its response', timeoutMs);
    } catch (failed) {
      const error = tooLate ?? failed;
      controller.abort(error);
      if (accepted) return accepted;
      // Reads the request's contents only to redact them in errors of other libraries.
      const isOurs = error instanceof EmailPlatformError;
      const failure = isOurs ? error : failureOf(operation, error, await attempt.redaction());
      endUnanswered(attempt, failure);
      throw failure;
    } finally {
      call.landed();
    }
  };
}
