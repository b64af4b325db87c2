import { tell } from '../core/observers.ts';
import type { ThrottleSnapshot } from '../core/limits.ts';
import type { HostName, HttpMethod, RequestSpec } from '../core/request.ts';
import type { Inside } from '../inside.ts';
import { bodyOf, rewrapped } from './body.ts';
import { withoutSlash } from './hosts.ts';
import {
  checkOptions,
  insideOf,
  type ProxyClient,
  type ProxyOptions,
  type RefusalReason,
} from './options.ts';
import { isSameOrigin } from './origin.ts';
import { queryOf, underAccount, type Query } from './query.ts';
import { failureOf, ownResponse, passedOn, type Passed } from './responses.ts';
import { allRoutes, fill, find, isNamed, type Match } from './routes.ts';
import { MAX_WAIT_MS, Shares, type Limit } from './shares.ts';

/** A handler of requests from pages, for whatever serves them: it takes a `Request`, and always returns a `Response`. */
export type EmailProxy = (request: Request) => Promise<Response>;

/** A deletion whose response was lost: a 404 to its retry means that it succeeded. */
const GONE_MEANS_DELETED = { status: 404, resolve: () => Promise.resolve({ data: undefined }) };

/** Tells the server why a request is refused, and returns the response, which does not say it. */
type Refuse = (reason: RefusalReason, status?: number, retryAfterMs?: number) => Response;

/** The limits a request counts against, of which a visitor has a share. */
const limitsOf = (snapshot: ThrottleSnapshot, { poolOf }: Inside, host: HostName, path: string): Limit[] =>
  [host === 'api' ? ('token' as const) : undefined, poolOf(host, path)].flatMap((pool) => {
    const limit = pool && snapshot[pool];
    return limit && limit.requests < Infinity ? [{ ...limit, pool }] : [];
  });

/** Of the page's headers only those are sent by which a request is followed through systems, and what it accepts. */
const SENT = /^(accept|traceparent|tracestate|x-request-id)$/;

const sentOf = (headers: Headers) => Object.fromEntries([...headers].filter(([name]) => SENT.test(name)));

/** What is sent for a page's request, under the account, where there is one. */
function specOf(
  inside: Inside,
  match: Match,
  query: Query,
  body: unknown,
  account: number | undefined,
  pairs: readonly (readonly string[])[],
): RequestSpec<Passed> {
  const { route } = match;
  const { operation, method, host, isRaw } = route;
  const wasUnderAccount = match.accountId !== undefined;
  const isUnderAccount = account !== undefined && route.hasAccount;
  const { path, issues } = fill(inside, match, account);
  return {
    operation,
    method: method as HttpMethod,
    host,
    path,
    query: () => (isUnderAccount && !wasUnderAccount ? underAccount(query) : query),
    body: rewrapped(body, route, pairs, wasUnderAccount, isUnderAccount),
    check: () => issues,
    result: { kind: 'body', form: isRaw ? 'bytes' : 'text' },
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
export function createProxy(options: ProxyOptions): EmailProxy {
  const inside = insideOf(options.client);
  if (!inside) throw new TypeError('client must be a client: new EmailPlatform()');
  const routes = allRoutes();
  checkOptions(options, inside, routes);
  const { client, authorize, origin, share = 0.5, maxBodyBytes = 2 ** 20, onRefused, onFailure } = options;
  const { signedUrls = false } = options;
  const allowed = routes.filter((route) => options.allow.some((pattern) => isNamed(pattern, route)));
  const basePath = withoutSlash(options.basePath);
  const shares = new Shares(share);
  const pairs = routes.flatMap(({ wrappers }) => (wrappers ? [wrappers] : []));
  const known = new WeakMap<ProxyClient, ThrottleSnapshot>();

  const handle = async (
    request: Request,
    url: URL,
    match: Match | undefined,
    refused: Refuse,
  ): Promise<Response> => {
    if (!isSameOrigin(request, origin)) return refused('origin');
    if (!match || !allowed.includes(match.route)) return refused('operation');
    const { route, params } = match;
    const { host, hasAccount } = route;
    const visit = await authorize(request, route.operation, { host, params });
    if (visit instanceof Response) return visit;
    if (typeof visit !== 'object' || visit === null) return refused('visitor');
    const { visitor, accountId, client: own = client } = visit;
    const sender = insideOf(own);
    const isAccount = accountId === undefined || (Number.isSafeInteger(accountId) && accountId > 0);
    if (!sender || typeof visitor !== 'string' || !isAccount)
      throw inside.invalid('authorize', 'must return { visitor, accountId?, client? }');
    const isOther = match.accountId !== undefined && match.accountId !== (accountId ?? sender.accountId);
    if (isOther || (accountId !== undefined && !hasAccount)) return refused('account');
    const query = queryOf(route, url.search);
    if (!query) return refused('query', 400);
    // The limits themselves do not change, and a snapshot takes its time.
    const limits = known.get(own) ?? own.limits.snapshot();
    known.set(own, limits);
    const counted = limitsOf(limits, inside, host, match.path);
    const waitMs = shares.enter(visitor, counted, inside.runtime.now());
    if (waitMs > MAX_WAIT_MS) return refused('share', 429, waitMs);
    try {
      if (waitMs > 0) await new Promise<void>((go) => inside.runtime.setTimer(waitMs, go));
      request.signal.throwIfAborted();
      const read = await bodyOf(inside, request, maxBodyBytes);
      if (typeof read === 'number') return refused('body', read);
      // Where only the call itself can name an account, the page's does not count: it cannot be another one.
      const account =
        accountId ?? (route.template.startsWith('{account?}') ? match.accountId : sender.accountId);
      const spec = specOf(inside, match, query, read.body, account, pairs);
      const { data, response } = await sender
        .execute(spec, { signal: request.signal, headers: sentOf(request.headers) })
        .withResponse();
      // A gateway that repeats what it was sent.
      if (typeof data === 'string' && sender.hasToken(data + String([...response.headers])))
        throw new Error('The response contains the token.');
      return passedOn(response, data, url.origin + url.pathname, signedUrls);
    } finally {
      shares.leave(visitor);
    }
  };

  return async (request) => {
    const url = new URL(request.url);
    const { pathname } = url;
    const rest = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : '';
    const [, host = '', path = ''] = /^\/(\w+)(\/.*)$/.exec(rest) ?? [];
    const match = find(inside, routes, request.method, host, path);
    const operation = match?.route.operation;
    try {
      return await handle(request, url, match, (reason, status = 403, retryAfterMs) => {
        tell(onRefused, () => ({ reason, operation, status, request }));
        return ownResponse(status, retryAfterMs);
      });
    } catch (error) {
      const response = failureOf(Object(error) as object);
      const { status } = response;
      // What the service itself answered is no failure of the proxy, and nor is a visitor who leaves.
      if (!request.signal.aborted && (Object(error) as { readonly status?: unknown }).status !== status)
        tell(onFailure, () => ({ operation, error, status, request }));
      return response;
    }
  };
}
