/**
 * Sends one request, and reads its response within the attempt's timeout. Of ky, this uses the check of an address, a
 * method and headers, by the `Request` that ky makes of them.
 */
import type { KyInstance } from 'ky';
import { EmailPlatformError } from '../core/error-base.ts';
import { urlOf } from '../core/host-name.ts';
import { headersOf, type Attempt } from './attempt.ts';
import type { CallConfig } from './config.ts';
import { failureOf } from './errors.ts';
import { Flight } from './flight.ts';
import { endAnswered, endUnanswered } from './permit.ts';
import { dropBody, MAX_OTHER_BYTES, MAX_RESULT_BYTES, readRaw, readText, type Answer } from './response.ts';
import type { Sendable } from './runtimes/runtime-fetch.ts';

/** Files are requested uncompressed: a cut file then breaks its connection. A browser drops this header. */
const UNCOMPRESSED = { 'accept-encoding': 'identity' };

const MAX_REDIRECTS = 5;

/** Makes the function that sends an attempt and reads the response's body. */
export function createExchange({ runtimeFetch }: CallConfig): (attempt: Attempt) => Promise<Answer> {
  let ky: KyInstance | undefined;
  return async (attempt) => {
    const { call, request } = attempt;
    const flight = new Flight(attempt);
    const exchange = async () => {
      // An abort in the turn of the call must prevent every request, not only the first, which waits for ky.
      await Promise.resolve();
      // Loaded at the first call: it creates a Request as it loads.
      ky ??= (await import('./load-ky.ts')).ky;
      if (!request.isRepeatable) await runtimeFetch.socketsRead();
      const stopped = runtimeFetch.stopped();
      if (stopped) await stopped;
      flight.starts();
      const response = await responseTo(attempt, flight, ky);
      flight.answered();
      endAnswered(attempt, response);
      return answerOf(attempt, flight, response);
    };
    try {
      const answer = await call.wait(exchange(), flight.doing, request.timeoutMs);
      if (!request.isRepeatable) await runtimeFetch.socketsRead();
      return answer;
    } catch (thrown) {
      return await failed(attempt, flight, thrown);
    } finally {
      call.landed();
    }
  };
}

/**
 * The `fetch` for ky. It passes on the address and our options, never ky's `Request`: some frameworks keep only the
 * address of one. Separate function, so that its closure does not retain the call and its response: Node keeps the
 * closure until the next full garbage collection.
 */
const fetchWith =
  ({ send }: Sendable, init: RequestInit): typeof fetch =>
  (request) =>
    send((request as Request).url, init);

/** Sends the request to its address, and on to the targets of a signed address's redirects. */
async function responseTo(attempt: Attempt, flight: Flight, ky: KyInstance): Promise<Response> {
  const { call, request } = attempt;
  const { runtimeFetch } = call.config;
  const { method, decoder, signedUrl, carriesToken } = request;
  const sendable = runtimeFetch.sendable(request, attempt.body, flight.leaves);
  if (!sendable.tellsLeaving) flight.mayLeave();
  const fileHeaders = decoder.kind === 'body' ? UNCOMPRESSED : {};
  let { address } = request;
  let headers = { ...(carriesToken && headersOf(attempt)), ...fileHeaders, ...sendable.headers };
  for (let redirects = signedUrl === undefined ? 0 : MAX_REDIRECTS; ; redirects -= 1) {
    const init = { ...sendable.init, headers: { ...headers }, signal: flight.signal };
    const [input, options] = runtimeFetch.forKy(address, {
      method,
      headers,
      retry: 0,
      timeout: false as const,
      throwHttpErrors: false,
      fetch: fetchWith(sendable, init),
    });
    const response = await ky(input, options);
    const target = redirectOf(attempt, response, address);
    if (target === undefined || redirects === 0) return response;
    dropBody(response);
    address = target;
    // Only the first address gets the token and the client's headers.
    headers = fileHeaders;
  }
}

/** The target of a signed address's redirect, if the client may fetch it. No error shows it. */
function redirectOf({ call, request }: Attempt, response: Response, from: string): string | undefined {
  const location = request.signedUrl === undefined ? null : response.headers.get('location');
  if (location === null) return undefined;
  call.addressed(location);
  const isRedirect = response.status >= 300 && response.status < 400;
  const url = isRedirect ? urlOf(location, from) : undefined;
  return url && call.config.mayFetch(url) ? url.href : undefined;
}

/** Reads the response's body, as far as the decoder needs it. */
async function answerOf({ call, request }: Attempt, flight: Flight, response: Response): Promise<Answer> {
  const { kind, form = 'text' } = request.decoder;
  if (!response.ok || kind === 'nothing') {
    flight.accept({ response, body: undefined });
    return { response, body: await readText(response, MAX_OTHER_BYTES).catch(() => undefined) };
  }
  if (kind === 'body' && call.config.runtimeFetch.riskyEncoding(response)) {
    dropBody(response);
    return { response, body: undefined };
  }
  const isText = kind !== 'body' || form === 'text';
  return { response, body: await (isText ? readText(response, MAX_RESULT_BYTES) : readRaw(response, form)) };
}

/** Ends a failed exchange: with its response if that was accepted already, otherwise with the error. */
async function failed(attempt: Attempt, flight: Flight, thrown: unknown): Promise<Answer> {
  const { call, request } = attempt;
  const error = flight.end(thrown);
  if (flight.accepted) return flight.accepted;
  call.caught(error);
  if (!call.isInFlight) attempt.stayed();
  // Reads the request's contents only to redact them in errors of other libraries.
  const isOurs = error instanceof EmailPlatformError;
  const failure = isOurs
    ? error
    : failureOf(request.operation, error, await attempt.redaction(), !call.isInFlight);
  endUnanswered(attempt, failure);
  throw failure;
}
