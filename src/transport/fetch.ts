/** Sends one request with ky, and reads the response's body, within the attempt's timeout. */
import type { KyInstance } from 'ky';
import { EmailPlatformError } from '../core/error-base.ts';
import { late } from '../kit/late.ts';
import { isNodesFetch } from '../core/platform.ts';
import { steersFramework } from '../core/steering.ts';
import { stopwatch } from '../core/steady-time.ts';
import { urlOf } from '../core/host-name.ts';
import { readFrom, tried } from '../core/tried.ts';
import type { Attempt } from './attempt.ts';
import type { CallConfig, Fetch } from './config.ts';
import { failureOf } from './errors.ts';
import {
  headersOf,
  isolatedAddress,
  isolatedInit,
  isolatedOptions,
  knowsNoStore,
  sendableOf,
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
const isResponse = (value: unknown): value is Response =>
  tried(() => {
    const { status, type, headers } = value as Response;
    return (status >= 200 || type === 'opaqueredirect') && 'get' in headers && Symbol.iterator in headers;
  }) ?? false;

/** A result of `fetch` that is no response, for an error. */
function described(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const status = readFrom(value, 'status');
  return typeof status === 'number' ? `status ${status}` : 'an object without a status';
}

/**
 * Requests files uncompressed: a truncated file then breaks its connection, which every runtime notices. A browser
 * drops this header.
 */
const UNCOMPRESSED = { 'accept-encoding': 'identity' };

const MAX_REDIRECTS = 5;

/** The target of a signed URL's redirect, if the client may fetch it. The request carries no token. */
function redirectOf(config: CallConfig, { status, headers }: Response, from: string): string | undefined {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  const url = location === null ? undefined : urlOf(location, from);
  return url && config.mayFetch(url) ? url.href : undefined;
}

/** Redacts the target of a signed URL's redirect, even if it is not followed. */
function noteRedirect({ call, request }: Attempt, { headers }: Response): void {
  const location = headers.get('location');
  if (request.signedUrl !== undefined && location !== null) call.addressed(location);
}

/**
 * The `fetch` for ky. It passes on the address and the options, never ky's `Request`: some frameworks keep only the
 * address of one. Separate function, so that its closure does not retain the call and its response: Node keeps the
 * closure until the next full garbage collection.
 */
const fetchWith =
  (config: CallConfig, send: Fetch, init: RequestInit): typeof fetch =>
  async (request) => {
    const response: unknown = await send((request as Request).url, isolatedInit(config, init));
    if (isResponse(response)) return response;
    throw new TypeError(`fetch returned no response: ${described(response)}`);
  };

/**
 * Makes the function that sends an attempt and reads the response's body.
 *
 * ky is loaded at the first call, because it creates a Request as it loads. It gets no signal: it would combine it with
 * one of its own, which is expensive, and its listener would stay on the caller's signal.
 */
export function createExchange(config: CallConfig): (attempt: Attempt) => Promise<Answer> {
  let ky: KyInstance | undefined;
  const noStore = late((): RequestInit => (knowsNoStore(config) ? { cache: 'no-store' } : {}));
  return async (attempt) => {
    const { call, request } = attempt;
    const { operation, method, address, decoder, signedUrl, carriesToken, isRepeatable, timeoutMs } = request;
    const controller = new AbortController();
    const { signal } = controller;
    // Set when the status alone decides the outcome: an endless body or an abort no longer changes it.
    let accepted: Answer | undefined;
    // Set if no time is left when the connection stands. `fetch` then fails with an error of its own.
    let tooLate: unknown;
    const elapsedMs = stopwatch(config.runtime);
    // The clocks decide: a process stopped while it connected runs this before its timers. The lease has not ended then
    // either: it exceeds the timeout by the longest time that an attempt may take before this check.
    const leaves = () => {
      try {
        call.check();
        if (elapsedMs() >= timeoutMs) throw call.late('timeout', timeoutMs);
        call.leaves();
      } catch (error) {
        tooLate = error;
        throw error;
      }
    };

    const exchange = async (): Promise<Answer> => {
      const throughKy = (ky ??= (await import('./load-ky.ts')).ky);
      // Otherwise it may go out on a connection that the server has closed while the process was held up.
      if (!isRepeatable) await new Promise<void>(config.runtime.afterReading);
      signal.throwIfAborted();
      call.check();
      attempt.checkClaim();
      checkPermit(attempt);
      call.sent();
      attempt.sent();
      const send = config.fetch ?? fetch;
      const isNodesOwn = config.fetch === undefined && isNodesFetch(send);
      const sendable = sendableOf(attempt, config.fetchRepeats, isNodesOwn, leaves);
      if (!sendable.tellsLeaving) call.leaves();
      const fileHeaders = decoder.kind === 'body' ? UNCOMPRESSED : {};
      const init: RequestInit = {
        method,
        redirect: signedUrl !== undefined && config.fetchFollows ? 'follow' : 'manual', // the token would go with it
        // Frameworks answer from a cache of theirs. Node's own `fetch` has none, and would add two headers.
        ...(!isNodesOwn && noStore()),
        ...sendable.init,
        signal,
      };
      const follow = async (
        url: string,
        redirects: number,
        headers: Readonly<Record<string, string>>,
      ): Promise<Response> => {
        const options = {
          method,
          headers,
          retry: 0, // each attempt takes a permit, and the policy decides on retries
          timeout: false as const, // the attempt's timeout also covers the body, and runs on an injected clock
          throwHttpErrors: false, // errors of this package contain no part of the request
          fetch: fetchWith(config, send, { ...init, headers: { ...headers } }),
        };
        const response = await throughKy(isolatedAddress(url), isolatedOptions(config, options));
        noteRedirect(attempt, response);
        const target = redirects > 0 ? redirectOf(config, response, url) : undefined;
        if (target === undefined) return response;
        dropBody(response);
        // Only the first address gets the token and the client's headers.
        return follow(target, redirects - 1, fileHeaders);
      };
      const response = await follow(address, signedUrl === undefined ? 0 : MAX_REDIRECTS, {
        ...(carriesToken && headersOf(attempt)),
        ...fileHeaders,
        ...sendable.headers,
      });
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
      const answer = await call.wait(exchange(), 'waiting for its response', timeoutMs);
      // Node begins to count how long a connection is idle in the turns after its response. A host may freeze the
      // process as soon as the outcome is known, and the next request would then go out on a dead connection.
      if (!isRepeatable) await new Promise<void>(config.runtime.afterReading);
      return answer;
    } catch (failed) {
      const error = tooLate ?? failed;
      controller.abort(error);
      if (accepted) return accepted;
      if (steersFramework(error)) call.steered(error);
      if (!call.isInFlight) attempt.stayed();
      // Reads the request's contents only to redact them in errors of other libraries.
      const isOurs = error instanceof EmailPlatformError;
      const failure = isOurs
        ? error
        : failureOf(operation, error, await attempt.redaction(), !call.isInFlight);
      endUnanswered(attempt, failure);
      throw failure;
    } finally {
      call.landed();
    }
  };
}
