import { statesLimit, type Answers } from './answers.ts';
import { bodyTooLarge, MAX_BODY_BYTES, parseBody } from './body.ts';
import type { VirtualClock } from './clock.ts';
import type { EndpointHandlers } from './endpoint-handlers.ts';
import { actsFirst, isRefusal, standIn, type EmulatorFault, type FaultQueue } from './faults.ts';
import { locate, withoutPrefix, type EmulatorHost, type Located } from './hosts.ts';
import type { Limiter, PoolUse } from './limiter.ts';
import type { Random } from './random.ts';
import type { Received, RequestLog } from './request-log.ts';
import { notFound, Refusal, refusal, type Exchange, type Reply, type Route } from './route.ts';
import type { Found, Router } from './router.ts';
import type { SignedStorage } from './storage.ts';
import { allows, NOBODY, presentedToken, type TokenRecord, type Tokens } from './tokens.ts';

/** What the engine works with. A reset replaces all of it except the log, the faults and the handlers. */
export interface EngineParts {
  readonly clock: VirtualClock;
  readonly faults: FaultQueue;
  readonly handlers: EndpointHandlers;
  readonly log: RequestLog;
  readonly limiter: Limiter;
  readonly router: Router;
  readonly tokens: Tokens;
  readonly random: Random;
  readonly countSending: boolean;
  readonly answers: Answers;
  readonly storage: SignedStorage;
}

/** The outcome of a request: a response, or a connection that fails in one of four ways. */
export type Outcome =
  | { readonly kind: 'answer' | 'truncate' | 'stall-body'; readonly response: Response }
  | { readonly kind: 'reset' }
  | { readonly kind: 'stall' };

/**
 * Passes one request through the faults and, unless they prevent it, through the service.
 *
 * @param isTooLarge - whether the request came with a body over the limit, which was therefore left out.
 */
export async function exchange(
  parts: EngineParts,
  request: Request,
  signal: AbortSignal | undefined,
  isTooLarge = false,
): Promise<Outcome> {
  parts.clock.settle();
  const url = new URL(request.url);
  const located = locate(url);
  if (located === undefined) {
    const { reply } = refusal('api', 501, withoutPrefix(request.method.toUpperCase(), url.pathname));
    return dated({ kind: 'answer', response: render(reply, new Headers()) }, parts.clock);
  }
  const method = request.method.toUpperCase();
  const fault = parts.faults.take(method, located.host, located.path);
  const received = parts.log.received(method, located, url.search, parts.clock.now(), request.headers);
  const act = async () => {
    const body = isTooLarge ? undefined : await readBytes(request);
    if (body !== undefined) received.body(body);
    return serve(parts, { request, url, located, body, received });
  };
  const own = fault === undefined || actsFirst(fault) ? await act() : undefined;
  const wantsBody = received.wantsBody || fault?.kind === 'status' || fault?.kind === 'html';
  if (own === undefined && wantsBody) received.body((await readBytes(request)) ?? new Uint8Array());
  const usual = fault && isRefusal(fault) ? tooMany(parts, request, located, received) : undefined;
  const outcome = dated(await spoil(parts, fault, own, usual, signal), parts.clock);
  received.over('response' in outcome ? outcome.response : undefined);
  if (!('response' in outcome)) return outcome;
  return method === 'HEAD' ? { ...outcome, response: await headOf(outcome.response) } : outcome;
}

/** The same response without its body, whose length it states. */
async function headOf(response: Response): Promise<Response> {
  const { status, headers } = response;
  const { byteLength } = await response.arrayBuffer();
  if (byteLength > 0) headers.set('content-length', String(byteLength));
  return new Response(null, { status, headers });
}

/** Adds the `Date` header to a response that has none. */
function dated(outcome: Outcome, clock: VirtualClock): Outcome {
  if ('response' in outcome && !outcome.response.headers.has('date')) {
    outcome.response.headers.set('date', new Date(clock.now()).toUTCString());
  }
  return outcome;
}

async function spoil(
  parts: EngineParts,
  fault: EmulatorFault | undefined,
  own: Response | undefined,
  usual: Pick<Reply, 'json' | 'headers'> | undefined,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const response = own ?? new Response(null, { status: 500 });
  switch (fault?.kind) {
    case undefined:
      return given(response);
    case 'slow':
      await parts.clock.wait(fault.delayMs ?? 1000, signal);
      return given(response);
    case 'status':
    case 'html':
      return { kind: 'answer', response: standIn(fault, usual) };
    case 'reset-before':
    case 'reset-after':
      return { kind: 'reset' };
    case 'stall':
      return { kind: 'stall' };
    case 'stall-body':
      return response.body === null ? { kind: 'stall' } : { kind: 'stall-body', response };
    case 'truncate':
      return response.body === null ? { kind: 'reset' } : { kind: 'truncate', response };
  }
}

/** A handler breaks the connection by `Response.error()`. */
const given = (response: Response): Outcome =>
  response.type === 'error' ? { kind: 'reset' } : { kind: 'answer', response };

/** The body of a request; `undefined` if it is too large. */
async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const body = await request.arrayBuffer();
  return body.byteLength > MAX_BODY_BYTES ? undefined : new Uint8Array(body);
}

interface Arrived {
  readonly request: Request;
  readonly url: URL;
  readonly located: Located;
  /** `undefined` if it is too large. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly received: Received;
}

/** Whose request it is, what it is for, and the pools that it counts in: the token's, then that of the endpoint. */
function usesOf(parts: EngineParts, request: Request, { host, path }: Located, now: number) {
  const method = request.method.toUpperCase();
  const token = parts.tokens.find(presentedToken(request.headers), now);
  // HEAD is answered like GET.
  const found = parts.router.find(method === 'HEAD' ? 'GET' : method, host, path);
  // All unknown tokens are one: made-up tokens would each keep a window.
  const tokenUse: PoolUse = { pool: 'token', key: token?.secret ?? '' };
  const uses: PoolUse[] = host === 'api' || parts.countSending ? [tokenUse] : [];
  if (token !== undefined && found?.route.endpoint.pool !== undefined) {
    uses.push({ pool: found.route.endpoint.pool, key: String(token.accountId) });
  }
  return { token, found, tokenUse, uses };
}

/** A limit that is off has no window. */
const NO_WINDOW_MS = 10_000;

/** How the service refuses a request whose last pool is exhausted. */
function tooMany(
  parts: EngineParts,
  request: Request,
  located: Located,
  received: Received,
): Pick<Reply, 'json' | 'headers'> {
  const { limiter, answers, random } = parts;
  const now = parts.clock.now();
  const { tokenUse, uses } = usesOf(parts, request, located, now);
  const use = uses.at(-1) ?? tokenUse;
  received.counted(use.pool, true);
  const { json, headers } = answers.tooMany(
    located.host,
    use.pool,
    limiter.resetAt(use, now) ?? now + NO_WINDOW_MS,
  );
  const state = limiter.state(tokenUse, now);
  return {
    json,
    headers: {
      ...headers,
      ...(located.host === 'api' && { 'x-request-id': random.uuid() }),
      ...(state && {
        'x-ratelimit-limit': String(state.limit),
        'x-ratelimit-remaining': use === tokenUse ? '0' : String(state.remaining),
      }),
    },
  };
}

/** The service itself: the limits, then the token, the path, the permissions of the token, and the endpoint. */
function serve(
  parts: EngineParts,
  { request, url, located, body, received }: Arrived,
): Response | Promise<Response> {
  const { host, path } = located;
  const method = request.method.toUpperCase();
  const now = parts.clock.now();
  if (host === 'storage') return render(parts.storage.answer(request, url, path, now), new Headers());
  // The gateway in front of the service refuses these, so they count in no limit and need no token.
  if (body === undefined) return render(bodyTooLarge(host).reply, new Headers());
  if (!isDecodable(path) || !isDecodable(url.search)) {
    return render(refusal(host, 400, 'The URL contains an invalid percent-encoding').reply, new Headers());
  }
  const { token, found, tokenUse, uses } = usesOf(parts, request, located, now);
  const refused = parts.limiter.take(uses, now);
  received.counted(refused?.pool ?? uses.at(-1)?.pool, refused !== undefined);
  const isStated = refused === undefined ? host === 'api' : statesLimit(refused.pool);
  const state = isStated ? parts.limiter.state(tokenUse, now) : undefined;
  const stated: Record<string, string> = {
    ...(host === 'api' && { 'x-request-id': parts.random.uuid() }),
    ...(state && {
      'x-ratelimit-limit': String(state.limit),
      'x-ratelimit-remaining': String(state.remaining),
    }),
  };
  const rendered = (reply: Reply) => render(reply, new Headers({ ...reply.headers, ...stated }));
  if (refused !== undefined) return rendered(parts.answers.tooMany(host, refused.pool, refused.resetAt));
  const accepted = admit(parts.answers, token, found ?? missing(host, method, path), host);
  if (accepted instanceof Refusal) return rendered(accepted.reply);
  const { caller, route, params } = accepted;
  const own = () =>
    received.during(() =>
      rendered(
        answer(route, {
          host,
          form: route.form,
          params,
          token: caller,
          address: located.base + path,
          origin: located.origin,
          query: withoutIndexes(url.searchParams),
          now,
          size: body.length,
          body: () => parseBody(host, request.headers, body),
        }),
      ),
    );
  const { accountId } = caller;
  const handled = { route, params, accountId, request: () => again(request, body), own };
  return parts.handlers.answer(handled)?.then((response) => withHeaders(response, stated)) ?? own();
}

/** The same request, with a body that has not been read. */
function again({ url, method, headers }: Request, body: Uint8Array<ArrayBuffer>): Request {
  const isBodyless = method === 'GET' || method === 'HEAD';
  return new Request(url, { method, headers, ...(isBodyless ? {} : { body }) });
}

/** A response of a handler, with the headers that the service adds, unless it has them. */
function withHeaders(response: Response, added: Readonly<Record<string, string>>): Response {
  if (response.type === 'error') return response;
  const { status, body } = response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(added)) if (!headers.has(name)) headers.set(name, value);
  return new Response(body, { status, headers });
}

/** Lists whose keys have an index, such as `ids[0]`, are read like those without, `ids[]`. */
function withoutIndexes(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].map(([key, value]) => [key.replace(/\[\d+\]$/, '[]'), value]));
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Not a 404, which would look as if the service had the endpoint and only the object were missing. */
const missing = (host: EmulatorHost, method: string, path: string) =>
  refusal(host, 501, `The emulator does not have the endpoint ${method} ${path} on the host '${host}'`);

/** The caller of an endpoint and the endpoint, or why the request does not come as far as that. */
function admit(
  answers: Answers,
  token: TokenRecord | undefined,
  found: Found | Refusal,
  host: EmulatorHost,
): (Found & { readonly caller: TokenRecord }) | Refusal {
  const isSigned = !(found instanceof Refusal) && found.route.endpoint.isSigned === true;
  const caller = isSigned ? NOBODY : token;
  if (caller === undefined) return new Refusal(unauthorized(answers, host));
  if (found instanceof Refusal) return found;
  const { params, route } = found;
  if (params.account_id !== undefined && params.account_id !== String(caller.accountId)) return notFound();
  if (!allows(caller, route.endpoint.area, route.access)) {
    return new Refusal(answers.forbidden(host, 'Access forbidden'));
  }
  return { ...found, caller };
}

function answer({ endpoint }: Route, exchange: Exchange): Reply {
  try {
    return endpoint.handler(exchange);
  } catch (error) {
    if (error instanceof Refusal) return error.reply;
    throw error;
  }
}

function render(reply: Reply, headers: Headers): Response {
  if (reply.content !== undefined) {
    headers.set('content-type', reply.content.type);
    return new Response(reply.content.body, { status: reply.status, headers });
  }
  if (reply.json === undefined) return new Response(null, { status: reply.status, headers });
  headers.set('content-type', 'application/json; charset=utf-8');
  return new Response(JSON.stringify(reply.json), { status: reply.status, headers });
}

function unauthorized(answers: Answers, host: EmulatorHost): Reply {
  if (host !== 'api') return answers.unauthorized(host, 'Unauthorized');
  const headers = { 'www-authenticate': 'Token realm="Application"' };
  return { ...answers.unauthorized(host, 'Incorrect API token'), headers };
}
