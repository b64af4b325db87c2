/**
 * The options of a request, for ky and for `fetch`. Both look up options in `Object.prototype`, to which a flaw of another
 * package may let an attacker add fields. An object that is given to them then has no prototype, and each option that they
 * look up is its own field, with the default: a polluted prototype cannot redirect a request or change its contents.
 */
import { isolated } from '../../core/isolated.ts';

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
export const isPolluted = (): boolean => LOOKED_UP.some((name) => name in Object.prototype);

const defaultsOf = (isNode: boolean) => (isNode ? NODE_DEFAULTS : UNSET);

/** The address for ky, which also reads request options from a string or URL. */
export const ownAddress = (address: string): URL =>
  Object.assign(new URL(address), { method: undefined, headers: undefined, signal: undefined });

/** The options of ky, which checks them and makes a request of them. */
export const ownKyOptions = <Options extends object>(isNode: boolean, options: Options): Options =>
  isolated<Options>({ ...defaultsOf(isNode), ...KY_DEFAULTS, ...options });

/** The second argument of `fetch`. */
export const ownInit = (isNode: boolean, init: RequestInit): RequestInit =>
  isolated({ ...defaultsOf(isNode), ...init });
