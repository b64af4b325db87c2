/** Sends one request, and reads its response within the attempt's timeout. */
import { EmailPlatformError } from '../core/error-base.ts';
import { urlOf } from '../core/host-name.ts';
import { headersOf, type Attempt } from './attempt.ts';
import type { CallConfig } from './config.ts';
import { failureOf } from './errors.ts';
import { Flight } from './flight.ts';
import { endAnswered, endUnanswered } from './permit.ts';
import { dropBody, MAX_OTHER_BYTES, MAX_RESULT_BYTES, readRaw, readText, type Answer } from './response.ts';
import { isRedirect } from './runtimes/foreign-response.ts';

const MAX_REDIRECTS = 5;

/** Makes the function that sends an attempt and reads the response's body. */
export function createExchange({ runtimeFetch }: CallConfig): (attempt: Attempt) => Promise<Answer> {
  return async (attempt) => {
    const { call, request } = attempt;
    const flight = new Flight(attempt);
    const exchange = async () => {
      // The wait also lets an abort in the turn of the call prevent every request.
      await runtimeFetch.ready(request);
      flight.starts();
      const response = await responseTo(attempt, flight);
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

/** Sends the request to its address, and on to the targets of a signed address's redirects. */
async function responseTo(attempt: Attempt, flight: Flight): Promise<Response> {
  const { call, request } = attempt;
  const { runtimeFetch } = call.config;
  const { method, decoder, signedUrl, carriesToken } = request;
  const sendable = runtimeFetch.sendable(request, attempt.body, flight.leaves);
  if (!sendable.tellsLeaving) flight.mayLeave();
  const fileHeaders = decoder.kind === 'body' ? runtimeFetch.fileHeaders : {};
  let { address } = request;
  let headers = Object.assign(carriesToken ? headersOf(attempt) : {}, fileHeaders, sendable.headers);
  // A signed address is read: a POST's body is used up after the first address.
  const isFollowed = signedUrl !== undefined && method === 'GET';
  for (let redirects = isFollowed ? MAX_REDIRECTS : 0; ; redirects -= 1) {
    const response = await runtimeFetch.send(sendable, address, headers, flight.signal);
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
  const url = isRedirect(response.status) ? urlOf(location, from) : undefined;
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
