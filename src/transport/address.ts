/** The address of a request, and whether the token goes there. */
import { wrongArgument } from '../core/errors.ts';
import type { RequestSpec } from '../core/request.ts';
import { invalid } from '../core/rules.ts';
import { missing } from '../core/variables.ts';
import type { CallConfig } from './config.ts';

/** The path on its host, or the address that the service gave. */
export function addressOf(config: CallConfig, spec: RequestSpec<unknown>, query: string): string {
  const { operation, host, path, signed: { url } = { url: path + query } } = spec;
  const base = config.hosts[host];
  if (url.startsWith('/')) {
    if (base === undefined) throw missing(`hosts.${host}`);
    return base + url;
  }
  if (config.mayFetch(new URL(url))) return url;
  throw wrongArgument(operation, 'messageOrUrl', 'must start with https://');
}

/**
 * Whether the request carries the token: to an address that the service gave, only if it is in the API. Throws if a
 * redirect would take the token along.
 */
export function carriesToken(config: CallConfig, { signed }: RequestSpec<unknown>, address: string): boolean {
  if (signed === undefined) return true;
  if (!signed.maybeApiPath || !isApiPath(config, address)) return false;
  refuseLeakingRedirects(config);
  return true;
}

/**
 * Whether an address is in the API, in the form that is fetched: with resolved dot segments, and without encoded
 * slashes, which a server might resolve.
 */
function isApiPath({ hosts }: CallConfig, address: string): boolean {
  const { href, pathname } = new URL(address);
  return href.startsWith(`${hosts.api}/api/`) && !/%(2f|5c)/i.test(pathname);
}

function refuseLeakingRedirects({ token, auth, runtimeFetch }: CallConfig): void {
  if (!runtimeFetch.follows || token === undefined || auth !== 'api-token') return;
  const rule =
    "must be 'bearer' to download this in a browser, where a redirect would take an Api-Token along";
  throw invalid('auth', rule);
}
