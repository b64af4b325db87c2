/** Makes a call to the service from a page's request, and a response to the page from its result. */
import type { ClientPort } from '../../client/port.ts';
import type { EmailPlatformError } from '../../core/error-base.ts';
import { TimeoutError } from '../../core/errors.ts';
import { ownHeaders } from '../../core/request-options.ts';
import type { RequestSpec, TokenSearch } from '../../core/request.ts';
import { rewrapped } from './body.ts';
import { searchedFile } from './file.ts';
import { underAccount, type Query } from './query.ts';
import {
  chosen,
  emptyResponse,
  ownResponse,
  passedFile,
  passedOn,
  refusalOf,
  statusOf,
  type PageView,
} from './responses.ts';
import { fill, type Match } from './routes.ts';
import type { Visit } from './visit.ts';

/** Settles a deletion whose response was lost: a 404 to the retry means that it succeeded. */
const GONE_MEANS_DELETED = { status: 404, resolve: () => Promise.resolve({ data: undefined }) };

/** The body of a response; undefined if a deletion succeeded although its response was lost. */
type Result = string | ReadableStream<Uint8Array> | undefined;

/** The error of a call whose deadline passed before `authorize` returned, or before its share allowed it. */
const tooLate = ({ operation }: RequestSpec<Result>) =>
  new TimeoutError(`${operation} was not sent within its deadline`, { kind: 'deadline', effect: 'none' });

/** The page's headers that the proxy sends to the service: tracing headers and `accept`. */
const SENT = ['accept', 'traceparent', 'tracestate', 'x-request-id'];

/** The request to the service for a page's request, under the account if there is one. */
export function specOf(
  match: Match,
  query: Query,
  body: unknown,
  account: number | undefined,
  pairs: readonly (readonly string[])[],
): RequestSpec<Result> {
  const { route } = match;
  const { operation, method, host, isRaw, endpoint } = route;
  const wasUnderAccount = match.accountId !== undefined;
  const isUnderAccount = account !== undefined && route.hasAccount;
  return {
    operation,
    method,
    host,
    path: isUnderAccount ? fill(match, account).path : match.path,
    query: () => (isUnderAccount && !wasUnderAccount ? underAccount(query) : query),
    body: () => rewrapped(body, route, pairs, wasUnderAccount, isUnderAccount),
    reaches: () => endpoint.reachesPeople ?? false,
    decoder: { kind: 'body', form: isRaw ? 'stream' : 'text' },
    // A POST or PATCH is not retried: only the client's methods know which of them are harmless to repeat.
    ifLost: method === 'DELETE' ? GONE_MEANS_DELETED : undefined,
  };
}

/**
 * Sends a call, and makes a response from its result or its error. Calls `onOver` when the call and its file have
 * ended.
 */
export async function respond(
  { request, failed }: Visit,
  spec: RequestSpec<Result>,
  page: Omit<PageView, 'tokens'>,
  sender: ClientPort,
  deadlineMs: number | undefined,
  onOver: () => void,
): Promise<Response> {
  let isStreamed = false;
  let tokens!: TokenSearch;
  try {
    if (deadlineMs !== undefined && deadlineMs <= 0) throw tooLate(spec);
    const options = {
      signal: request.signal,
      headers: ownHeaders(chosen(request.headers, SENT)),
      deadlineMs,
    };
    const searched = { ...spec, onTokens: (search: TokenSearch) => void (tokens = search) };
    const { data, response } = await sender.execute(searched, options).withResponse();
    if (data === undefined) return emptyResponse(204);
    if (typeof data === 'string') return passedOn(response, data, { ...page, tokens });
    const { status } = response;
    const file = await searchedFile(data, tokens, sender, ({ error }) => {
      onOver();
      // The response has begun: its status cannot change any more.
      if (error !== undefined && !request.signal.aborted) failed(error, emptyResponse(status));
    });
    isStreamed = file !== null;
    return passedFile(status, file);
  } catch (cause) {
    const error = Object(cause) as Partial<EmailPlatformError>;
    try {
      const refusal = refusalOf(error, { ...page, tokens, keepsSecrets: false });
      if (refusal) return refusal;
    } catch (unsafe) {
      return failed(unsafe, ownResponse(502));
    }
    const response = ownResponse(statusOf(error));
    // A page that aborts its request is not a failure.
    return error.code === 'aborted' ? response : failed(cause, response);
  } finally {
    if (!isStreamed) onOver();
  }
}
