import { tell } from '../core/observers.ts';
import type { HttpMethod, RequestSpec } from '../core/request.ts';
import type { Inside } from '../client/inside.ts';
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
import { chosen, failureOf, ownResponse, passedOn, type Passed } from './responses.ts';
import { allRoutes, fill, find, isNamed, type Match } from './routes.ts';
import { MAX_WAIT_MS, Shares, type Limit } from './shares.ts';

/** A handler of requests from pages, for whatever serves them: it takes a `Request`, and always returns a `Response`. */
export type EmailProxy = (request: Request) => Promise<Response>;

/** A deletion whose response was lost: a 404 to its retry means that it succeeded. */
const GONE_MEANS_DELETED = { status: 404, resolve: () => Promise.resolve({ data: undefined }) };

/** Tells the server why a request is refused, and returns the response, which does not say it. */
type Refuse = (reason: RefusalReason, status?: number, retryAfterMs?: number) => Response;

/** A client's limits, of which a visitor has a share. Where the service's limit is not known, there is none. */
const limitsOf = ({ limits }: ProxyClient): Limit[] =>
  Object.entries(limits.snapshot())
    .map(([pool, limit]) => ({ ...limit, pool }))
    .filter(({ requests }) => requests < Infinity);

/** Of the page's headers only those are sent by which a request is followed through systems, and what it accepts. */
const SENT = ['accept', 'traceparent', 'tracestate', 'x-request-id'];

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
  return {
    operation,
    method: method as HttpMethod,
    host,
    path: isUnderAccount ? fill(inside, match, account).path : match.path,
    query: () => (isUnderAccount && !wasUnderAccount ? underAccount(query) : query),
    body: () => rewrapped(body, route, pairs, wasUnderAccount, isUnderAccount),
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
  const address = new RegExp(`^${withoutSlash(options.basePath).replaceAll('.', '\\.')}/(\\w+)(/.*)$`);
  const shares = new Shares(share);
  const pairs = routes.flatMap(({ wrappers }) => (wrappers ? [wrappers] : []));
  const limitsOfClient = new WeakMap<ProxyClient, Limit[]>();

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
    const sender = own === client ? inside : insideOf(own);
    const isAccount = accountId === undefined || (Number.isSafeInteger(accountId) && accountId > 0);
    if (!sender || typeof visitor !== 'string' || !isAccount)
      throw inside.invalid('authorize', 'must return { visitor, accountId?, client? }');
    const isOther = match.accountId !== undefined && match.accountId !== (accountId ?? sender.accountId);
    if (isOther || (accountId !== undefined && !hasAccount)) return refused('account');
    const query = queryOf(route, url.search);
    if (!query) return refused('query', 400);
    // The limits themselves do not change, and a snapshot takes its time.
    const limits = limitsOfClient.get(own) ?? limitsOf(own);
    limitsOfClient.set(own, limits);
    const accountPool = inside.poolOf(host, match.path);
    const counted = limits.filter(({ pool }) => (pool === 'token' && host === 'api') || pool === accountPool);
    const waitMs = shares.enter(visitor, counted, inside.runtime.now());
    if (waitMs > MAX_WAIT_MS) return refused('share', 429, waitMs);
    try {
      if (waitMs > 0) await new Promise<void>((go) => inside.runtime.setTimer(waitMs, go));
      const read = await bodyOf(inside, request, maxBodyBytes);
      if (typeof read === 'number') return refused('body', read);
      // Where only the call itself can name an account, the page's does not count: it cannot be another one.
      const account =
        accountId ?? (route.template.startsWith('{account?}') ? match.accountId : sender.accountId);
      const spec = specOf(inside, match, query, read.body, account, pairs);
      const { data, response } = await sender
        .execute(spec, { signal: request.signal, headers: chosen(request.headers, SENT) })
        .withResponse();
      return passedOn(response, data, url, signedUrls, sender.hasToken);
    } finally {
      shares.leave(visitor);
    }
  };

  return async (request) => {
    const url = new URL(request.url);
    const [, host = '', path = ''] = address.exec(url.pathname) ?? [];
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
