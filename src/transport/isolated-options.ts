/**
 * What ky and `fetch` are given has no prototype, and has every option that they look up as its own, so that nothing on
 * `Object.prototype` (a flaw of some other package, used by an attacker) changes where a request goes or what is in it.
 */
import { isolated } from '../core/isolated.ts';
import type { CallConfig } from './config.ts';

type OwnNames = Readonly<Record<string, unknown>>;

/** What `Request` and `fetch` look up; undefined is the same as absent. */
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

/** Node's copies what is not undefined into an object with a prototype, and looks there: it is given its own defaults. */
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

/** What ky looks up besides; these values are its defaults. */
const KY_DEFAULTS: OwnNames = {
  prefixUrl: '',
  searchParams: '', // ky drops one that is undefined
  json: undefined,
  parseJson: undefined,
  stringifyJson: undefined,
  // ky looks into a hook list that is absent, but not into one that is undefined.
  hooks: isolated({
    beforeRequest: undefined,
    beforeRetry: undefined,
    afterResponse: undefined,
    beforeError: undefined,
  }),
  context: undefined,
  onDownloadProgress: undefined,
  onUploadProgress: undefined,
};

const defaultsOf = ({ fetchRepeats }: CallConfig) => (fetchRepeats === 'node' ? NODE_DEFAULTS : UNSET);

/** The address for ky, which looks for the options of a request in it too, as if it were one. */
export const isolatedAddress = (address: string): URL =>
  Object.assign(new URL(address), { method: undefined, headers: undefined, signal: undefined });

/** What ky is given: the function that sends, and the headers, are ours. */
interface OwnOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

/** Options for ky. */
export function isolatedOptions<Options extends OwnOptions>(config: CallConfig, options: Options): Options {
  const { headers, fetch: send } = options;
  return isolated<Options>({
    ...defaultsOf(config),
    ...KY_DEFAULTS,
    ...options,
    // ky adds what a polluted prototype has as headers: ours are said again, in place of all that ky has made of them.
    fetch: (...[input, init]: Parameters<typeof fetch>) => send(input, { ...init, headers }),
  });
}

/** What `fetch` is given beside a request that ky has made. In Node, what it would look up elsewhere is repeated. */
export function isolatedInit(
  config: CallConfig,
  input: string | URL | Request,
  init: RequestInit,
): RequestInit {
  if (!(input instanceof Request) || config.fetchRepeats !== 'node') return isolated({ ...UNSET, ...init });
  const { method, redirect } = input;
  return isolated({ ...NODE_DEFAULTS, method, redirect, duplex: 'half', ...init });
}
