/**
 * The options of a request for ky and `fetch`, in every runtime: its headers, a body that `fetch` cannot repeat by itself,
 * and objects that are safe from a polluted prototype.
 *
 * Where something is on `Object.prototype` (a flaw of some other package, used by an attacker), these objects have no
 * prototype, and have every option that ky or `fetch` looks up as their own. So it changes neither where a request goes nor
 * what is in it.
 */
import { isolated } from '../core/isolated.ts';
import type { Attempt } from './attempt.ts';
import type { CallConfig } from './config.ts';

/** The headers of an attempt. A caller's headers cannot replace ours: options that try are refused. */
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

/** Additions to a request. */
export interface SentOnce {
  readonly headers: { readonly 'content-length'?: string };
  /** For `fetch` itself, over what is in the `Request`: Bun does not heed `keepalive` there. */
  readonly init: RequestInit;
}

const NOTHING: SentOnce = { headers: {}, init: {} };

/**
 * Keeps `fetch` from sending a request again by itself, before anybody learns of it: a mail would go out twice. Node's
 * does so after a 421, unless the body is a stream; the length is stated, because some gateways refuse chunks. Bun's and
 * Deno's do so when a connection breaks that was used before; the error is then that of the second try. Bun's never does
 * on a new connection; Deno's never does with a Blob, which keeps its length, unlike a stream.
 *
 * For a body that is a stream, `check` is called once the connection stands; if it throws, nothing is sent.
 */
export function sentOnce(
  runtime: CallConfig['fetchRepeats'],
  { request, body = '' }: Pick<Attempt, 'request' | 'body'>,
  check: () => void,
): SentOnce {
  const { method, isRepeatable } = request;
  if (method === 'GET' || runtime === undefined) return NOTHING;
  if (runtime === 'bun') return { ...NOTHING, init: { keepalive: false } };
  if (runtime === 'deno') return { ...NOTHING, init: { body: new Blob([body]) } };
  // Of an email that may come more than once, the retries allowed are all the copies: these would be more.
  if (isRepeatable && method !== 'POST') return NOTHING;
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const length = content instanceof Blob ? content.size : content.length;
  return {
    init: { body: onceConnected(content, check), duplex: 'half' } as RequestInit,
    headers: { 'content-length': String(length) },
  };
}

/**
 * A body that calls `check` before any of it leaves. Node's `fetch` asks for a first chunk before it connects, and for the
 * second once it can write. So the first is empty, and with an empty chunk it writes nothing, not even the headers.
 */
function onceConnected(content: Uint8Array | Blob, check: () => void): ReadableStream {
  const chunks = (async function* () {
    yield new Uint8Array();
    // A Blob takes time to be read, so each of its chunks is checked when it is there.
    if (!(content instanceof Blob)) {
      check();
      if (content.length > 0) yield content;
    } else {
      for await (const chunk of content.stream()) {
        check();
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
  // Without room for a chunk that was not asked for.
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

/** Node copies defined options into an object with a prototype, and looks there: so it is given its own defaults. */
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
};

/** ky looks into a hook list that is absent, but not into one that is undefined. */
const KY_HOOKS: OwnNames = {
  beforeRequest: undefined,
  beforeRetry: undefined,
  afterResponse: undefined,
  beforeError: undefined,
};

/** The options that ky looks up besides; these values are its defaults. */
const KY_DEFAULTS: OwnNames = {
  prefixUrl: '',
  searchParams: '', // ky drops one that is undefined
  json: undefined,
  parseJson: undefined,
  stringifyJson: undefined,
  hooks: isolated(KY_HOOKS),
  context: undefined,
  onDownloadProgress: undefined,
  onUploadProgress: undefined,
};

const LOOKED_UP = Object.keys({ ...NODE_DEFAULTS, ...KY_DEFAULTS, ...KY_HOOKS });

/**
 * Whether something on `Object.prototype` would be taken for an option. There hardly ever is; and each option that ky is
 * given costs time, because ky copies all of them again for every one.
 */
const isPolluted = () => LOOKED_UP.some((name) => name in Object.prototype);

const defaultsOf = ({ fetchRepeats }: CallConfig) => (fetchRepeats === 'node' ? NODE_DEFAULTS : UNSET);

/** The address for ky, which looks for the options of a request in it too, as if it were one. */
export const isolatedAddress = (address: string): string | URL =>
  isPolluted()
    ? Object.assign(new URL(address), { method: undefined, headers: undefined, signal: undefined })
    : address;

/** The options of ours that ky is given. */
interface OwnOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

/** Options for ky. */
export function isolatedOptions<Options extends OwnOptions>(config: CallConfig, options: Options): Options {
  if (!isPolluted()) return options;
  const { headers, fetch: send } = options;
  return isolated<Options>({
    ...defaultsOf(config),
    ...KY_DEFAULTS,
    ...options,
    // ky adds headers from a polluted prototype: ours are given again, and replace them.
    fetch: (...[input, init]: Parameters<typeof fetch>) => send(input, { ...init, headers }),
  });
}

/** The second argument of `fetch`, beside a request that ky has made. For Node it repeats the options of that request. */
export function isolatedInit(
  config: CallConfig,
  input: string | URL | Request,
  init: RequestInit,
): RequestInit {
  if (!isPolluted()) return init;
  if (!(input instanceof Request) || config.fetchRepeats !== 'node') return isolated({ ...UNSET, ...init });
  const { method, redirect } = input;
  return isolated({ ...NODE_DEFAULTS, method, redirect, duplex: 'half', ...init });
}
