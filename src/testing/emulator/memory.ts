import { ownBody } from '../../kit/own-body.ts';
import { readBytes } from '../../kit/read-bytes.ts';
import type { Outcome } from '../service/engine/engine.ts';
import { toWebResponse } from '../service/wire/engine-response.ts';
import { MEMORY_ORIGIN } from '../service/wire/hosts.ts';

type Send = (request: Request, signal: AbortSignal | undefined) => Promise<Outcome>;

/** The error of Node's `fetch` for a failed connection. */
function networkError(code: string, syscall: string, message: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code, syscall }) });
}

/** Turns an outcome into the result of `fetch`: a response, an error, or a promise that stays pending. */
export function present(outcome: Outcome, signal?: AbortSignal): Promise<Response> {
  switch (outcome.kind) {
    case 'answer':
      return Promise.resolve(toWebResponse(outcome.response));
    case 'reset':
      return Promise.reject(networkError('ECONNRESET', 'read', 'read ECONNRESET'));
    case 'stall':
      return new Promise(() => {
        // Only the caller's signal ends the wait, in `withSignal`.
      });
    case 'truncate':
    case 'stall-body':
      return halfOf(toWebResponse(outcome.response), outcome.kind, signal);
  }
}

/** A counter of resets on `fetch`. After a reset, clients forget the requests that they counted for the limits. */
const EPOCH = Symbol.for('email-platform.epoch');

/**
 * A `fetch` without a network. It resolves only the emulator's own addresses.
 *
 * @param isServer - whether an origin is that of a server of the emulator, to which links in emails lead.
 */
export function createMemoryFetch(
  send: Send,
  epoch: () => number,
  isServer: (origin: string) => boolean,
): typeof fetch {
  const isOwn = (origin: string) => origin === MEMORY_ORIGIN || isServer(origin);
  const memoryFetch: typeof fetch = async (input, init) => {
    const signal = init?.signal ?? (input as Partial<Request>).signal;
    // jsdom's own signals have no `throwIfAborted`.
    if (signal?.aborted) throw signal.reason;
    const answered = ownRequest(input, init).then((request) => follow(send, isOwn, request, signal));
    return signal ? withSignal(signal, answered) : answered;
  };
  // Not enumerable, so that comparisons and prints of tests skip it.
  return Object.defineProperty(memoryFetch, EPOCH, { value: epoch });
}

/**
 * The request of a call of `fetch`, with a body that ends by itself. Without the signal: a Request listens to its signal as
 * long as the signal lives. `withSignal` removes its listener.
 */
async function ownRequest(input: string | URL | Request, init?: RequestInit): Promise<Request> {
  const given = init?.body ?? (input as Partial<Request>).body ?? undefined;
  const type =
    typeof given === 'string' ? 'text/plain;charset=UTF-8' : (given as Partial<Blob> | undefined)?.type;
  let bytes: string | Uint8Array | undefined;
  if (typeof given === 'string') bytes = given;
  else if (given instanceof Blob) bytes = new Uint8Array(await given.arrayBuffer());
  else if (given instanceof ReadableStream) bytes = await readBytes(given, Infinity);
  const { url = input, method, headers, redirect } = input as Partial<Request>;
  const own = bytes === undefined ? {} : ownBody(bytes);
  const all = { method, headers, redirect, ...init, signal: null, ...own } as RequestInit;
  const request = new Request(url, all);
  if (type && !request.headers.has('content-type')) request.headers.set('content-type', type);
  return request;
}

async function follow(
  send: Send,
  isOwn: (origin: string) => boolean,
  first: Request,
  signal: AbortSignal | undefined,
): Promise<Response> {
  let request = first;
  for (let hops = 0; hops <= 20; hops += 1) {
    if (!isOwn(new URL(request.url).origin)) {
      throw networkError(
        'ENOTFOUND',
        'getaddrinfo',
        `getaddrinfo ENOTFOUND ${new URL(request.url).hostname}`,
      );
    }
    const spare = request.redirect === 'follow' ? request.clone() : undefined;
    const response = await present(await send(request, signal), signal);
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    if (request.redirect === 'error')
      throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
    if (spare === undefined) return response;
    request = redirected(spare, new URL(location, request.url), response.status);
  }
  throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') });
}

function redirected(request: Request, target: URL, status: number): Request {
  const becomesGet = status === 303 || (status <= 302 && request.method === 'POST');
  if (!becomesGet) return new Request(target, request);
  const headers = new Headers(request.headers);
  headers.delete('content-type');
  return new Request(target, { method: 'GET', headers });
}

/** Rejects with the signal's reason as soon as it is aborted. Removes its listener at the end. */
function withSignal<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's own reason
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** A copy of the response whose body fails or stalls after the first half. */
async function halfOf(
  whole: Response,
  kind: 'truncate' | 'stall-body',
  signal: AbortSignal | undefined,
): Promise<Response> {
  const bytes = new Uint8Array(await whole.arrayBuffer());
  let abort: (() => void) | undefined;
  const leave = () => {
    if (abort !== undefined) signal?.removeEventListener('abort', abort);
  };
  let sent = false;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        abort = () => {
          leave();
          controller.error(signal?.reason);
        };
        signal?.addEventListener('abort', abort);
      },
      pull(controller): void | Promise<void> {
        if (!sent) {
          sent = true;
          controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2)));
        } else if (kind === 'truncate') {
          leave();
          const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
          controller.error(new TypeError('terminated', { cause }));
        } else {
          return new Promise(() => {
            // Stalls: the second half never arrives.
          });
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  const headers = new Headers(whole.headers);
  headers.set('content-length', String(bytes.length));
  return new Response(body, { status: whole.status, headers });
}
