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

/** Network errors, and responses that a browser hides because of `mode: 'no-cors'`, have status 0; so have redirects it hides. */
const isResponse = ({ status, type, headers }: Response) =>
  (status >= 200 || type === 'opaqueredirect') && 'get' in headers && Symbol.iterator in headers;

/**
 * Files are asked for uncompressed: when one is cut, its connection breaks off, which every runtime notices. A browser
 * leaves this header out.
 */
const UNCOMPRESSED = { 'accept-encoding': 'identity' };

const MAX_REDIRECTS = 5;

/** Where a redirect of a signed URL leads, if that may be fetched: there is no token that could go along. */
function redirectOf(config: CallConfig, { status, headers }: Response, from: string): string | undefined {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  const url = location === null ? undefined : tried(() => new URL(location, from));
  return url && config.mayFetch(url) ? url.href : undefined;
}

/** Keeps where a signed URL leads secret, whether or not that is followed. */
function noteRedirect({ call, request }: Attempt, { headers }: Response): void {
  const location = headers.get('location');
  if (request.signedUrl !== undefined && location !== null) call.addressed(location);
}

/**
 * The `fetch` for ky. A separate function, so that its closure does not retain the call and its response: Node keeps it
 * until the next full garbage collection.
 */
const fetchWith =
  (config: CallConfig, more: RequestInit, signal: AbortSignal): typeof fetch =>
  (input, init) => {
    const send = config.fetch ?? fetch;
    return send(input, isolatedInit(config, input, { ...init, ...more, signal }));
  };

/**
 * The body that ky is given. An object is given to `fetch` alone: ky would merge it with the fields of a polluted prototype.
 * So is a body that `fetch` is given in a form of its own: ky would make a stream of it, and divide that in two. A
 * caller's `fetch` always finds the text in its request.
 */
function bodyForKy({ call, body }: Attempt, { init }: SentOnce): { readonly body?: string } {
  return typeof body === 'string' && (call.config.fetch || !('body' in init)) ? { body } : {};
}

/**
 * Makes the function that sends an attempt and reads the response's body.
 *
 * ky is loaded at the first call, not at import, because it creates a Request as it loads. It gets a signal of the
 * attempt, never the caller's: its listener would stay there for as long as that signal lives.
 */
export function createExchange(): (attempt: Attempt) => Promise<Answer> {
  let ky: KyInstance | undefined;
  return async (attempt) => {
    const { call, request, body } = attempt;
    const { config } = call;
    const { operation, method, address, decoder, signedUrl, isOwn, timeoutMs } = request;
    const controller = new AbortController();
    const { signal } = controller;
    // Set once the status alone decides the outcome: a body that never ends, or an abort, does not change it then.
    let accepted: Answer | undefined;
    // Set if there was no time left once the connection stood. `fetch` fails because of it, in words of its own.
    let tooLate: unknown;
    const elapsedMs = stopwatch(config.runtime);
    // The clocks decide: a process that was stopped while it connected runs this before its timers. The lease, which is
    // longer than the timeout by all that an attempt may take before this, is not over either then.
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
        headers: { ...(isOwn && headersOf(attempt)), ...fileHeaders, ...once.headers },
        redirect: (signedUrl !== undefined && config.fetchFollows ? 'follow' : 'manual') as RequestRedirect, // the token would go along
        retry: 0, // every attempt takes a permit, and the policy decides on it
        timeout: false as const, // ours also covers the body, and runs on an injected clock
        throwHttpErrors: false, // our errors hold no part of the request
        ...bodyForKy(attempt, once),
        // A caller's fetch finds it in its request. ky would combine it with one of its own, which is expensive.
        ...(config.fetch && { signal }),
        fetch: fetchWith(config, { ...(body instanceof Blob && { body }), ...once.init }, signal),
      };
      const follow = async (url: string, redirects: number, sentWith = options): Promise<Response> => {
        const response = await send(isolatedAddress(url), isolatedOptions(config, sentWith));
        noteRedirect(attempt, response);
        const target = redirects > 0 ? redirectOf(config, response, url) : undefined;
        if (target === undefined) return response;
        dropBody(response);
        // The token and our headers are for the first address only.
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
      // The request's contents are read only to redact what others have said of it.
      const isOurs = error instanceof EmailPlatformError;
      const failure = isOurs ? error : failureOf(operation, error, await attempt.redaction());
      endUnanswered(attempt, failure);
      throw failure;
    } finally {
      call.landed();
    }
  };
}
