import type { EmailPlatformError } from '../core/error-base.ts';
import { TimeoutError } from '../core/errors.ts';
import { isolatedIfPlain } from '../core/isolated.ts';
import { tell } from '../core/observers.ts';
import { poolOf } from '../core/path.ts';
import { invalid } from '../core/rules.ts';
import type { RequestSpec } from '../core/request.ts';
import { portOf, type ClientPort } from '../client/port.ts';
import { bodyOf, rewrapped } from './body.ts';
import { searchedFile } from './file.ts';
import { withoutSlash } from './hosts.ts';
import {
  checkOptions,
  type Authorization,
  type ProxyClient,
  type ProxyOptions,
  type RefusalReason,
  type Visitor,
} from './options.ts';
import { isSameOrigin } from './origin.ts';
import { queryOf, underAccount, type Query } from './query.ts';
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
import { allRoutes, fill, find, isNamed, type Match, type Route } from './routes.ts';
import { MAX_WAIT_MS, Shares, type Limit } from './shares.ts';

/** A handler of requests from pages, for whatever serves them: it takes a `Request`, and always returns a `Response`. */
export type EmailProxy = (request: Request) => Promise<Response>;

/** A deletion whose response was lost: a 404 to its retry means that it succeeded. */
const GONE_MEANS_DELETED = { status: 404, resolve: () => Promise.resolve({ data: undefined }) };

/** The body of a response; undefined if a deletion was found to have succeeded, although its response was lost. */
type Result = string | ReadableStream<Uint8Array> | undefined;

/** The error of a call whose deadline has passed before its visitor was known, or had a place. */
const tooLate = ({ operation }: RequestSpec<Result>) =>
  new TimeoutError(`${operation} was not sent within its deadline`, { kind: 'deadline', effect: 'none' });

/** A page's request, and how the server is told what becomes of it. */
interface Visit {
  readonly request: Request;
  readonly url: URL;
  readonly match: Match | undefined;
  /** When it arrived. */
  readonly at: number;
  /** Tells the server why the request is refused, and returns the response, which does not say it. */
  readonly refused: (reason: RefusalReason, status?: number, retryAfterMs?: number) => Response;
  /** Tells the server of a failure, and returns the response, which does not say what it was. */
  readonly failed: (error: unknown, response: Response) => Response;
}

/** A client's limits, of which a visitor has a share. Where the service's limit is not known, there is none. */
const limitsOf = ({ limits }: ProxyClient): Limit[] =>
  Object.entries(limits.snapshot())
    .map(([pool, limit]) => ({ ...limit, pool }))
    .filter(({ requests }) => requests < Infinity);

/** Of the page's headers only those are sent by which a request is followed through systems, and what it accepts. */
const SENT = ['accept', 'traceparent', 'tracestate', 'x-request-id'];

/** What is sent for a page's request, under the account, where there is one. */
function specOf(
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
    method: method,
    host,
    path: isUnderAccount ? fill(match, account).path : match.path,
    query: () => (isUnderAccount && !wasUnderAccount ? underAccount(query) : query),
    body: () => rewrapped(body, route, pairs, wasUnderAccount, isUnderAccount),
    reaches: () => endpoint.reachesPeople ?? false,
    decoder: { kind: 'body', form: isRaw ? 'stream' : 'text' },
    // A POST or PATCH is not repeated: whether that does harm, only its method knows.
    settle: method === 'DELETE' ? GONE_MEANS_DELETED : undefined,
  };
}

/**
 * Makes a handler through which pages use the service without holding the token. Only what `allow` names is sent, only
 * for pages of the same origin, and only for visitors whom `authorize` lets in. Whatever goes wrong becomes a response.
 *
 * @throws `ConfigurationError` naming the option that is missing, wrong or unknown; `TypeError` if `client` is none
 * @example
 * ```ts
 * const proxy = createProxy({
 *   client: new EmailPlatform(),
 *   basePath: '/email',
 *   allow: ['campaigns.list', 'campaigns.get', 'templates.*'],
 *   authorize: async (request) => {
 *     const user = await userOf(request.headers.get('cookie')); // your own session
 *     return user && { visitor: user.id };
 *   },
 * });
 * ```
 */
export function createProxy(given: ProxyOptions): EmailProxy {
  const options = isolatedIfPlain(given);
  const port = portOf(options.client);
  if (!port) throw new TypeError('client must be a client: new EmailPlatform()');
  const routes = allRoutes();
  checkOptions(options, routes);
  const { client, authorize, origin, share = 0.5, maxBodyBytes = 2 ** 20, onRefused, onFailure } = options;
  const { signedUrls: keepsSigned = false } = options;
  const allowed = routes.filter((route) => options.allow.some((pattern) => isNamed(pattern, route)));
  const address = new RegExp(`^${withoutSlash(options.basePath).replaceAll('.', '\\.')}/(\\w+)(/.*)$`);
  const shares = new Shares(share);
  const pairs = routes.flatMap(({ wrappers }) => (wrappers ? [wrappers] : []));
  const limitsOfClient = new WeakMap<ProxyClient, Limit[]>();

  /** Who the visitor is; a response for somebody who gets no further. */
  const visitorOf = async (
    { request, refused, failed }: Visit,
    { route, params, accountId: asked }: Match,
  ): Promise<Response | (Visitor & { readonly sender: ClientPort; readonly own: ProxyClient })> => {
    const { operation, host, hasAccount } = route;
    let visit: Authorization;
    try {
      visit = await authorize(request, operation, { host, params });
    } catch (error) {
      // Whatever it is: it may be an error of another service, with what that said.
      return failed(error, emptyResponse(500));
    }
    if (visit instanceof Response) return visit;
    if (typeof visit !== 'object' || visit === null) return refused('visitor');
    const { visitor, accountId, client: own = client } = isolatedIfPlain(visit);
    const sender = own === client ? port : portOf(own);
    const isAccount = accountId === undefined || (Number.isSafeInteger(accountId) && accountId > 0);
    if (!sender || typeof visitor !== 'string' || !isAccount)
      throw invalid('authorize', 'must return { visitor, accountId?, client? }');
    const isOther = asked !== undefined && asked !== (accountId ?? sender.accountId);
    if (isOther || (accountId !== undefined && !hasAccount)) return refused('account');
    return { visitor, accountId, sender, own };
  };

  /** The limits that a request counts against, of which its visitor has a share. */
  const limitsFor = (own: ProxyClient, { route: { method, host }, path }: Match): Limit[] => {
    // The limits themselves do not change, and a snapshot takes its time.
    const limits = limitsOfClient.get(own) ?? limitsOf(own);
    limitsOfClient.set(own, limits);
    const accountPool = poolOf(method, host, path);
    return limits.filter(({ pool }) => (pool === 'token' && host === 'api') || pool === accountPool);
  };

  /** Sends a call, and makes a response of what becomes of it. `onOver` is told when nothing more of it will come. */
  const respond = async (
    { request, failed }: Visit,
    spec: RequestSpec<Result>,
    view: PageView,
    sender: ClientPort,
    deadlineMs: number | undefined,
    onOver: () => void,
  ): Promise<Response> => {
    let isStreamed = false;
    try {
      if (deadlineMs !== undefined && deadlineMs <= 0) throw tooLate(spec);
      const options = { signal: request.signal, headers: chosen(request.headers, SENT), deadlineMs };
      const { data, response } = await sender.execute(spec, options).withResponse();
      if (data === undefined) return emptyResponse(204);
      if (typeof data === 'string') return passedOn(response, data, view);
      const { status } = response;
      const file = await searchedFile(data, sender, ({ error }) => {
        onOver();
        // The response is on its way: its status cannot change any more.
        if (error !== undefined && !request.signal.aborted) failed(error, emptyResponse(status));
      });
      isStreamed = file !== null;
      return passedFile(status, file);
    } catch (cause) {
      const error = Object(cause) as Partial<EmailPlatformError>;
      try {
        const refusal = refusalOf(error, { ...view, keepsSecrets: false });
        if (refusal) return refusal;
      } catch (unfit) {
        return failed(unfit, ownResponse(502));
      }
      const response = ownResponse(statusOf(error));
      // A visitor who leaves is no failure.
      return error.code === 'aborted' ? response : failed(cause, response);
    } finally {
      if (!isStreamed) onOver();
    }
  };

  const handle = async (visit: Visit): Promise<Response> => {
    const { request, url, match, at, refused } = visit;
    if (!isSameOrigin(request, origin)) return refused('origin');
    if (!match || !allowed.includes(match.route)) return refused('operation');
    const { route } = match;
    // Before `authorize`, which so never sees a body that is too large, or that does not end.
    const maxMs = port.deadlineMs ?? port.timeoutMs;
    const read = await bodyOf(request, { maxBytes: maxBodyBytes, maxMs }, port.runtime.setTimer);
    if (typeof read === 'number') return refused('body', read);
    const admitted = await visitorOf(visit, match);
    if (admitted instanceof Response) return admitted;
    const { visitor, accountId, sender, own } = admitted;
    const query = queryOf(route, url.search);
    if (!query) return refused('query', 400);
    // Where only the call itself can name an account, the page's does not count: it cannot be another one.
    const account =
      accountId ?? (route.template.startsWith('{account?}') ? match.accountId : sender.accountId);
    const spec = specOf(match, query, read.body, account, pairs);
    const timeLeft = () => (sender.deadlineMs ?? Infinity) - (port.runtime.now() - at);
    const mostMs = Math.max(0, Math.min(MAX_WAIT_MS, timeLeft()));
    const waitMs = shares.enter(visitor, limitsFor(own, match), port.runtime.now(), mostMs);
    if (waitMs > mostMs) return refused('share', 429, waitMs);
    if (waitMs > 0) await new Promise<void>((go) => port.runtime.setTimer(waitMs, go));
    return respond(
      visit,
      spec,
      {
        endpoint: route.endpoint,
        here: url,
        keepsSigned,
        keepsSecrets: route.issuesSecret,
        hosts: Object.values(sender.hosts),
        tokens: sender.tokens,
      },
      sender,
      sender.deadlineMs === undefined ? undefined : timeLeft(),
      () => shares.leave(visitor),
    );
  };

  return async (request) => {
    let operation: Route['operation'] | undefined;
    const failed: Visit['failed'] = (error, response) => {
      const { status } = response;
      tell(onFailure, () => ({ operation, error, status, request }));
      return response;
    };
    const refused: Visit['refused'] = (reason, status = 403, retryAfterMs) => {
      tell(onRefused, () => ({ reason, operation, status, request }));
      return ownResponse(status, retryAfterMs);
    };
    try {
      const url = new URL(request.url);
      const [, host = '', path = ''] = address.exec(url.pathname) ?? [];
      const match = find(routes, request.method, host, path);
      operation = match?.route.operation;
      return await handle({ request, url, match, at: port.runtime.now(), refused, failed });
    } catch (error) {
      return failed(error, ownResponse(500));
    }
  };
}
