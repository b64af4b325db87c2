import { portOf } from '../../client/port.ts';
import { isolatedIfPlain } from '../../core/isolated.ts';
import { tell } from '../../core/tried.ts';
import { poolOf } from '../../core/path.ts';
import { bodyOf } from './body.ts';
import { respond, specOf } from './call.ts';
import { withoutSlash } from './hosts.ts';
import { checkOptions, DEFAULT_BODY_BYTES, type ProxyClient, type ProxyOptions } from './options.ts';
import { isSameOrigin } from './origin.ts';
import { queryOf } from './query.ts';
import { ownResponse } from './responses.ts';
import { allRoutes, find, isNamed, type Match, type Route } from './routes.ts';
import { MAX_WAIT_MS, Shares, type Limit } from './shares.ts';
import type { Visit } from './visit.ts';
import { visitorOf, type Admitted } from './visitor.ts';
import { WaitingBodies } from './waiting-bodies.ts';

/** A handler of requests from pages: takes a `Request`, and always returns a `Response`. */
export type EmailProxy = (request: Request) => Promise<Response>;

/** A client's limits, which visitors share. Leaves out a limit of unknown size. */
const limitsOf = ({ limits }: ProxyClient): Limit[] =>
  Object.entries(limits.snapshot())
    .map(([pool, { requests = Infinity, perMs }]) => ({ pool, requests, perMs }))
    .filter(({ requests }) => requests < Infinity);

/**
 * Makes a handler for pages, which use the service through it without the token. Sends a request only if `allow`
 * names its operation, its page is of the same origin, and `authorize` allows its visitor. Every error becomes a
 * response.
 *
 * @throws `ConfigurationError` naming the option that is missing, wrong or unknown; `TypeError` if `client` is not an `EmailPlatform`
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
export function createProxy(input: ProxyOptions): EmailProxy {
  // Copied once, without fields of `Object.prototype`: they could allow more.
  const options = isolatedIfPlain(input);
  const port = portOf(options.client);
  if (!port) throw new TypeError('client must be an EmailPlatform: pass new EmailPlatform()');
  const routes = allRoutes();
  checkOptions(options, routes);
  const { origin, share = 0.5, onRefused, onFailure, signedUrls: keepsSigned = false } = options;
  const { maxBodyBytes = DEFAULT_BODY_BYTES, maxPendingBytes = Math.max(64 * 2 ** 20, maxBodyBytes) } =
    options;
  const allowed = routes.filter((route) => options.allow.some((pattern) => isNamed(pattern, route)));
  const address = new RegExp(`^${withoutSlash(options.basePath).replaceAll('.', '\\.')}/(\\w+)(/.*)$`);
  const shares = new Shares(share);
  const pairs = routes.flatMap(({ wrappers }) => (wrappers ? [wrappers] : []));
  const limitsOfClient = new WeakMap<ProxyClient, Limit[]>();
  const waitingBodies = new WaitingBodies(maxPendingBytes);

  /** The limits that a request counts against. */
  const limitsFor = (own: ProxyClient, { route: { method, host }, path }: Match): Limit[] => {
    // Cached, because the limits do not change and a snapshot takes time.
    const limits = limitsOfClient.get(own) ?? limitsOf(own);
    limitsOfClient.set(own, limits);
    const accountPool = poolOf(method, host, path);
    return limits.filter(({ pool }) => (pool === 'token' && host === 'api') || pool === accountPool);
  };

  /** The body and the visitor of a request that may be sent; a response for any other request. */
  const admit = async (visit: Visit, match: Match): Promise<Response | (Admitted & { body: unknown })> => {
    const { request, refused } = visit;
    const bounds = { maxBytes: maxBodyBytes, maxMs: port.deadlineMs ?? port.timeoutMs };
    const waiting = waitingBodies.enter();
    try {
      // Before `authorize`, so that it never gets a body that is too large or does not end.
      const read = await bodyOf(request, bounds, waiting, port.runtime.setTimer);
      if (typeof read === 'number') return refused('body', read, read === 503 ? 1_000 : undefined);
      const admitted = await visitorOf(visit, match, options);
      return admitted instanceof Response ? admitted : { ...admitted, ...read };
    } finally {
      waiting.leave();
    }
  };

  const handle = async (visit: Visit): Promise<Response> => {
    const { request, url, match, at, refused } = visit;
    if (!isSameOrigin(request, origin)) return refused('origin');
    if (!match || !allowed.includes(match.route)) return refused('operation');
    const { route } = match;
    const admitted = await admit(visit, match);
    if (admitted instanceof Response) return admitted;
    const { visitor, accountId, sender, own, body } = admitted;
    const query = queryOf(route, url.search);
    if (!query) return refused('query', 400);
    // Only an address with an optional account uses the page's account. Elsewhere the page's account equals the
    // sender's, which `visitorOf` has checked.
    const account =
      accountId ?? (route.template.startsWith('{account?}') ? match.accountId : sender.accountId);
    const spec = specOf(match, query, body, account, pairs);
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
