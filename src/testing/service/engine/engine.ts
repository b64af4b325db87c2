/** Answers requests: limits, tokens, faults, routes. May import state and routing; it knows no area. */
import { CAUSE_HEADER } from '../../../kit/cause-header.ts';
import { statesLimit, type Answers } from '../state/account/answers.ts';
import { bodyTooLarge, MAX_BODY_BYTES, parseBody } from './body.ts';
import type { VirtualClock } from '../state/base/clock.ts';
import type { EndpointHandlers } from './endpoint-handlers.ts';
import { toWebRequest, type EngineRequest } from '../wire/engine-request.ts';
import { ofWebResponse, toWebResponse, wholeBody, type EngineResponse } from '../wire/engine-response.ts';
import { actsFirst, isRefusal, standIn, type EmulatorFault, type FaultQueue } from './faults.ts';
import { locate, withoutPrefix, type EmulatorHost, type Located } from '../wire/hosts.ts';
import type { Limiter, PoolUse } from '../state/account/limiter.ts';
import type { Random } from '../state/base/random.ts';
import type { Recording, RequestLog } from './request-log.ts';
import type { Exchange, Route } from '../routing/route.ts';
import { notFound, Refusal, refusal, type Reply } from '../wire/reply.ts';
import type { Found, Router } from './router.ts';
import type { ReaderPages } from './reader-pages.ts';
import type { SignedStorage } from '../state/account/storage.ts';
import { allows, NOBODY, presentedToken, type TokenRecord, type Tokens } from '../state/account/tokens.ts';

/** The parts of the engine. A reset replaces all of them except the log, the faults and the handlers. */
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
  readonly readerPages: ReaderPages;
}

/** The outcome of a request: a response, or a connection that fails in one of four ways. */
export type Outcome =
  | { readonly kind: 'answer' | 'truncate' | 'stall-body'; readonly response: EngineResponse }
  | { readonly kind: 'reset' }
  | { readonly kind: 'stall' };

/** Passes one request through the faults and, unless they prevent it, through the service. */
export async function exchange(parts: EngineParts, request: EngineRequest): Promise<Outcome> {
  parts.clock.settle();
  const { method, url, headers } = request;
  const located = locate(url);
  if (located === undefined) {
    const { reply } = refusal('api', 501, withoutPrefix(method, url.pathname));
    return dated({ kind: 'answer', response: render(reply) }, parts.clock);
  }
  const fault = parts.faults.take(method, located.host, located.path);
  const received = parts.log.received(method, located, url.search, parts.clock.now(), headers);
  const act = async () => {
    const body = await readBytes(request);
    if (body !== undefined) received.body(body);
    return serve(parts, { request, located, body, received });
  };
  const own = fault === undefined || actsFirst(fault) ? await act() : undefined;
  const wantsBody = received.wantsBody || fault?.kind === 'status' || fault?.kind === 'html';
  if (own === undefined && wantsBody) received.body((await readBytes(request)) ?? new Uint8Array());
  const usual = fault && isRefusal(fault) ? tooMany(parts, request, located, received) : undefined;
  const outcome = dated(await spoil(parts, fault, own, usual, request), parts.clock);
  if (!('response' in outcome)) {
    received.broken();
    return outcome;
  }
  const response = received.over(outcome.response);
  return { ...outcome, response: method === 'HEAD' ? await headOf(response) : response };
}

/** The response to HEAD: no body, and the length of the body in `content-length`. */
async function headOf(response: EngineResponse): Promise<EngineResponse> {
  const { byteLength } = await wholeBody(response);
  const length = byteLength > 0 ? { 'content-length': String(byteLength) } : {};
  return { ...response, headers: { ...response.headers, ...length }, body: null };
}

/** Adds the `Date` header to a response that has none. */
function dated(outcome: Outcome, clock: VirtualClock): Outcome {
  if ('response' in outcome) outcome.response.headers.date ??= new Date(clock.now()).toUTCString();
  return outcome;
}

async function spoil(
  parts: EngineParts,
  fault: EmulatorFault | undefined,
  own: EngineResponse | undefined,
  usual: Pick<Reply, 'json' | 'headers'> | undefined,
  request: EngineRequest,
): Promise<Outcome> {
  const response = own ?? { status: 500, headers: {}, body: null };
  switch (fault?.kind) {
    case undefined:
      return given(response);
    case 'slow':
      await parts.clock.wait(fault.delayMs ?? 1000, request.signal);
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

const given = (response: EngineResponse): Outcome =>
  response.status === 0 ? { kind: 'reset' } : { kind: 'answer', response };

/** The body of a request; `undefined` if it is too large. */
async function readBytes({ body }: EngineRequest): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = await body();
  return bytes !== undefined && bytes.length > MAX_BODY_BYTES ? undefined : bytes;
}

interface Arrived {
  readonly request: EngineRequest;
  readonly located: Located;
  /** `undefined` if it is too large. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly received: Recording;
}

/** The token and the endpoint of a request, and the pools that it counts in: the token's, then the endpoint's. */
function usesOf(
  parts: EngineParts,
  { method, headers }: EngineRequest,
  { host, path }: Located,
  now: number,
) {
  const token = parts.tokens.find(presentedToken(headers), now);
  // HEAD is answered like GET.
  const found = parts.router.find(method === 'HEAD' ? 'GET' : method, host, path);
  // All unknown tokens share one window, so that made-up tokens do not fill the memory with windows.
  const tokenUse: PoolUse = { pool: 'token', key: token?.secret ?? '' };
  const uses: PoolUse[] = host === 'api' || parts.countSending ? [tokenUse] : [];
  if (token !== undefined && found?.route.endpoint.pool !== undefined) {
    uses.push({ pool: found.route.endpoint.pool, key: String(token.accountId) });
  }
  return { token, found, tokenUse, uses };
}

/** The reset time, in milliseconds from now, of a limit that is off and so has no window. */
const NO_WINDOW_MS = 10_000;

/** The 429 of the service for a request whose last pool is exhausted. */
function tooMany(
  parts: EngineParts,
  request: EngineRequest,
  located: Located,
  received: Recording,
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
  const left = state && use === tokenUse ? { ...state, remaining: 0 } : state;
  return { json, headers: { ...headers, ...statedBy(random, located.host, left) } };
}

/** The headers of every response, and those of the limit where it is stated. */
const statedBy = (random: Random, host: EmulatorHost, limit: ReturnType<Limiter['state']>) => ({
  ...(host === 'api' && { 'x-request-id': random.uuid() }),
  ...(limit && {
    'x-ratelimit-limit': String(limit.limit),
    'x-ratelimit-remaining': String(limit.remaining),
  }),
});

/** The service itself: the limits, then the token, the path, the permissions of the token, and the endpoint. */
function serve(
  parts: EngineParts,
  { request, located, body, received }: Arrived,
): EngineResponse | Promise<EngineResponse> {
  const { host, path } = located;
  const { method, url } = request;
  const now = parts.clock.now();
  if (host === 'storage') return render(parts.storage.answer(request, path, now));
  if (host === 'reader') return render(parts.readerPages.answer(request, path, now));
  // The gateway in front of the service refuses these, so they count in no limit and need no token.
  if (body === undefined) return render(bodyTooLarge(host).reply);
  if (!isDecodable(path) || !isDecodable(url.search)) {
    return render(refusal(host, 400, 'The URL contains an invalid percent-encoding').reply);
  }
  const { token, found, tokenUse, uses } = usesOf(parts, request, located, now);
  const refused = parts.limiter.take(uses, now);
  received.counted(refused?.pool ?? uses.at(-1)?.pool, refused !== undefined);
  const isStated = refused === undefined ? host === 'api' : statesLimit(refused.pool);
  const stated = statedBy(parts.random, host, isStated ? parts.limiter.state(tokenUse, now) : undefined);
  const rendered = (reply: Reply) => {
    if (reply.cause !== undefined) received.because(reply.cause);
    const isOwn = request.headers.get('user-agent')?.startsWith('email-platform/') === true;
    const told = isOwn && reply.told !== undefined && { [CAUSE_HEADER]: encodeURI(reply.told) };
    return render(reply, { ...stated, ...told });
  };
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
  const handled = {
    route,
    params,
    accountId,
    request: () => toWebRequest(request, body),
    own: () => toWebResponse(own()),
  };
  return parts.handlers.answer(handled)?.then((response) => withHeaders(response, stated)) ?? own();
}

/** A response of a handler, with the headers that the service adds, unless it has them. */
function withHeaders(response: Response, added: Readonly<Record<string, string>>): EngineResponse {
  const own = ofWebResponse(response);
  return { ...own, headers: { ...added, ...own.headers } };
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

/** 501 for an endpoint that the emulator does not have. A 404 would look as if only the object were missing. */
const missing = (host: EmulatorHost, method: string, path: string) =>
  refusal(host, 501, `The emulator does not have the endpoint ${method} ${path} on the host '${host}'`);

/** The caller and the endpoint of a request, or its refusal: 401, 403, 404 or 501. */
function admit(
  answers: Answers,
  token: TokenRecord | undefined,
  found: Found | Refusal,
  host: EmulatorHost,
): (Found & { readonly caller: TokenRecord }) | Refusal {
  const isSigned = !(found instanceof Refusal) && found.route.endpoint.isSigned === true;
  const caller = isSigned ? NOBODY : token;
  if (caller === undefined) {
    const isApi = host === 'api';
    const reply = answers.unauthorized(host, isApi ? 'Incorrect API token' : 'Unauthorized');
    const headers = isApi ? { 'www-authenticate': 'Token realm="Application"' } : {};
    return new Refusal({ ...reply, headers, cause: 'The request has no token that the emulator knows' });
  }
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

function render(
  { status, json, content, headers }: Reply,
  stated: Readonly<Record<string, string>> = {},
): EngineResponse {
  if (content !== undefined) {
    const { type, body } = content;
    return { status, headers: { ...headers, ...stated, 'content-type': type }, body };
  }
  if (json === undefined) return { status, headers: { ...headers, ...stated }, body: null };
  const type = 'application/json; charset=utf-8';
  return { status, headers: { ...headers, ...stated, 'content-type': type }, body: JSON.stringify(json) };
}
