import type { EmailPlatform } from 'email-platform';

/** A request as it was passed to `fetch`. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly redirect: string;
  readonly signal: AbortSignal;
}

/** The result of one request: a response, or an error. */
export type Turn = (request: SentRequest) => Response | Promise<Response>;

export interface ScriptedFetch {
  readonly fetch: EmailPlatform.Fetch;
  readonly sent: SentRequest[];
}

/** A `fetch` that takes one turn per request; the last turn repeats. */
export function scriptedFetch(...turns: [Turn, ...Turn[]]): ScriptedFetch {
  const sent: SentRequest[] = [];
  const fetch: EmailPlatform.Fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method, url, headers, redirect, signal } = request;
    const seen = { method, url, headers, redirect, signal, body: await request.text() };
    sent.push(seen);
    const turn = turns[Math.min(sent.length, turns.length) - 1] ?? turns[0];
    return turn(seen);
  };
  return { fetch, sent };
}

/** A turn that waits for `count` requests, so that as many calls are under way at once. */
export function together(count: number, turn: Turn): Turn {
  const waiting: (() => void)[] = [];
  return async (request) => {
    await new Promise<void>((go) => {
      waiting.push(go);
      if (waiting.length === count) for (const each of waiting) each();
    });
    return turn(request);
  };
}

/** A response with a JSON body. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Turn =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    });

/** A response with a body of another type. */
export const text =
  (status: number, body: string, contentType = 'text/plain'): Turn =>
  () =>
    new Response(body, { status, headers: { 'content-type': contentType } });

/** A response without a body. */
export const empty =
  (status: number, headers: Record<string, string> = {}): Turn =>
  () =>
    new Response(null, { status, headers });

/** No response: `fetch` rejects with this. */
export const failure =
  (error: unknown): Turn =>
  () =>
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a `fetch` may reject with anything
    Promise.reject(error);

/** The error of Node's `fetch` for a failed connection. */
export const broken = (code: string, syscall?: string): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error(`${syscall ?? 'socket'} ${code}`), { code, ...(syscall && { syscall }) }),
  });

/** A connection that breaks before the response arrives: the service may have acted. */
export const lost: Turn = failure(broken('ECONNRESET', 'read'));
/** A refused connection: the request was not sent. */
export const refusedConnection: Turn = failure(broken('ECONNREFUSED', 'connect'));
/** Never responds, and ignores its signal. */
export const silence: Turn = () => new Promise(() => undefined);
