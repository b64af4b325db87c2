/**
 * The options of a request for ky and `fetch`, in every runtime: its headers, and a body that `fetch` cannot send twice.
 *
 * The tables below protect this client from ky and `fetch`, not callers from mistakes. Both look up options in
 * `Object.prototype`, to which a flaw of another package may let an attacker add fields. So an object that is given to
 * them then has no prototype, and has each option that they look up as its own field: a polluted prototype cannot
 * redirect a request or change its contents. The tables are the lists of these options, with the defaults.
 */
import { isolated } from '../core/isolated.ts';
import { tried } from '../core/tried.ts';
import type { Attempt } from './attempt.ts';
import type { CallConfig } from './config.ts';

/** The headers of an attempt. Options that would replace the client's headers are refused before. */
export function headersOf({ call, request, body, token, headers }: Attempt): Record<string, string> {
  const { userAgent, auth, sendCallId } = call.config;
  return {
    ...headers,
    accept: request.decoder.kind === 'body' ? '*/*' : 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
    ...request.options.headers,
    ...(sendCallId === true && { 'email-platform-call-id': call.event().callId }),
    ...(token !== undefined &&
      (auth === 'bearer' ? { authorization: `Bearer ${token}` } : { 'api-token': token })),
  };
}

/** The body of a request, in a form that `fetch` does not send twice, and what goes with it. */
export interface Sendable {
  readonly headers: { readonly 'content-length'?: string };
  readonly init: RequestInit;
  /** Whether `leaves` was called if the first byte has left. */
  readonly tellsLeaving: boolean;
}

/**
 * Keeps `fetch` from sending a request again unseen: the service would send an email twice. Node's `fetch` repeats a
 * request after a 421, unless the body is a stream; the length is stated, because some gateways refuse chunks. Bun's
 * and Deno's repeat a request when a reused connection breaks, and report the error of the second try. Bun's never does
 * so on a new connection. Deno's never does so with a Blob, which keeps its length, unlike a stream.
 *
 * Another function in place of Node's `fetch` gets the text: a framework's or a mock reads it.
 *
 * @param leaves - With a stream as the body, it runs when the connection stands, before the first byte leaves. If it
 * throws, no request is sent.
 */
export function sendableOf(
  { request, body }: Pick<Attempt, 'request' | 'body'>,
  repeats: CallConfig['fetchRepeats'],
  isNodesOwn: boolean,
  leaves: () => void,
): Sendable {
  const { method, isRepeatable } = request;
  const plain = { headers: {}, init: body === undefined ? {} : { body }, tellsLeaving: false };
  if (method === 'GET' || repeats === undefined) return plain;
  if (repeats === 'bun') return { ...plain, init: { ...plain.init, keepalive: false } };
  if (repeats === 'deno') return { ...plain, init: { body: new Blob([body ?? '']) } };
  // An email that may be sent repeatedly is limited to its retries: a repeat by `fetch` would exceed them.
  if (!isNodesOwn || (isRepeatable && method !== 'POST')) return plain;
  const content = body instanceof Blob ? body : new TextEncoder().encode(body);
  const length = content instanceof Blob ? content.size : content.length;
  return {
    headers: { 'content-length': String(length) },
    init: { body: onceConnected(content, leaves), duplex: 'half' } as RequestInit,
    tellsLeaving: true,
  };
}

/**
 * A body that calls `leaves` right before its first byte leaves. Node's `fetch` reads a first chunk before it connects, and
 * the second when it can write. So the first chunk is empty; for an empty chunk Node writes nothing, not even the
 * headers.
 */
function onceConnected(content: Uint8Array | Blob, leaves: () => void): ReadableStream {
  const chunks = (async function* () {
    yield new Uint8Array();
    leaves();
    if (!(content instanceof Blob)) {
      if (content.length > 0) yield content;
    } else {
      for await (const chunk of content.stream()) {
        leaves(); // again for each chunk, because reading a Blob takes time
        yield chunk;
      }
    }
  })();
  const pull = async (controller: ReadableStreamDefaultController) => {
    const { done, value } = await chunks.next();
    if (done === true) controller.close();
    else controller.enqueue(value);
  };
  const cancel = async () => {
    await chunks.return();
  };
  // No buffer: reads a chunk only on demand.
  return new ReadableStream(isolated({ pull, cancel }), isolated({ highWaterMark: 0 }));
}

type OwnNames = Readonly<Record<string, unknown>>;

/** The options that `Request` and `fetch` look up; undefined is the same as absent. */
const UNSET: OwnNames = {
  method: undefined,
  headers: undefined,
  body: undefined,
  mode: undefined,
  credentials: undefined,
  cache: undefined,
  redirect: undefined,
  referrer: undefined,
  referrerPolicy: undefined,
  integrity: undefined,
  keepalive: undefined,
  signal: undefined,
  window: undefined,
  duplex: undefined,
  dispatcher: undefined,
  priority: undefined,
};

/** Node copies defined options into an object with a prototype and reads that, so this sets Node's own defaults. */
const NODE_DEFAULTS: OwnNames = {
  ...UNSET,
  body: null,
  mode: 'cors',
  credentials: 'same-origin',
  cache: 'default',
  referrer: 'about:client',
  referrerPolicy: '',
  integrity: '',
  keepalive: false,
  window: null,
  duplex: 'half',
};

/** ky reads an absent hook list from the prototype, but skips an undefined one. */
const KY_HOOKS: OwnNames = {
  beforeRequest: undefined,
  beforeRetry: undefined,
  afterResponse: undefined,
  beforeError: undefined,
};

/** The other options that ky looks up, with ky's defaults. */
const KY_DEFAULTS: OwnNames = {
  prefixUrl: '',
  searchParams: '', // ky drops an undefined one
  json: undefined,
  parseJson: undefined,
  stringifyJson: undefined,
  hooks: KY_HOOKS,
  context: undefined,
  onDownloadProgress: undefined,
  onUploadProgress: undefined,
};

const LOOKED_UP = Object.keys({ ...NODE_DEFAULTS, ...KY_DEFAULTS, ...KY_HOOKS });

/**
 * Whether `Object.prototype` has a field with the name of an option. This is rare; and each option for ky costs time,
 * because ky copies all options again for each one.
 */
const isPolluted = () => LOOKED_UP.some((name) => name in Object.prototype);

const defaultsOf = ({ fetchRepeats }: CallConfig) => (fetchRepeats === 'node' ? NODE_DEFAULTS : UNSET);

/** The address for ky, which also reads request options from a string or URL. */
export const isolatedAddress = (address: string): string | URL =>
  isPolluted()
    ? Object.assign(new URL(address), { method: undefined, headers: undefined, signal: undefined })
    : address;

/** The options of ky, which checks them and makes a request of them. */
export const isolatedOptions = <Options extends object>(config: CallConfig, options: Options): Options =>
  isPolluted() ? isolated<Options>({ ...defaultsOf(config), ...KY_DEFAULTS, ...options }) : options;

/** The second argument of `fetch`. */
export const isolatedInit = (config: CallConfig, init: RequestInit): RequestInit =>
  isPolluted() ? isolated({ ...defaultsOf(config), ...init }) : init;

/** Whether requests may say that no cache keeps them: Workers refused this option until 2024. */
export const knowsNoStore = (config: CallConfig): boolean => {
  const { signal } = new AbortController();
  const init = { method: 'GET', headers: {}, redirect: 'manual', cache: 'no-store', signal } as const;
  return tried(() => new Request('https://service.example', isolatedInit(config, init))) !== undefined;
};
