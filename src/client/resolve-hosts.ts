/** Resolves the hosts of requests, and decides which addresses may be fetched. */
import { pageAddress } from '../core/platform.ts';
import { HOST_NAMES, type HostName } from '../core/request.ts';
import { invalid } from '../core/rules.ts';
import { urlOf } from '../core/host-name.ts';
import { BASE_VARIABLE, DOMAIN_VARIABLE } from '../core/variables.ts';
import type { CallConfig } from '../transport/config.ts';
import { addressUnder, refuseHalfLive } from './domain-hosts.ts';
import { read, readVariable } from './environment.ts';
import type { EmailPlatformOptions } from './options.ts';

/** The path of each host under the address of `EMAIL_PLATFORM_URL`, as in the emulator. */
const PATHS: Readonly<Record<HostName, string>> = {
  api: '/account',
  send: '/send',
  bulk: '/bulk',
  sandbox: '/sandbox',
};

/**
 * Whether a host is this machine. A subdomain of `localhost` is not: Node resolves it with DNS, which may return any
 * address.
 */
const isLoopback = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Whether the address of a host is of this machine, or has the path that an emulator serves the host under. */
export const isOfEmulator = (name: HostName, address: string): boolean =>
  isLoopback(new URL(address).hostname) || address.endsWith(PATHS[name]);

/** An address of this machine without its protocol. As a URL, `localhost:4010` has the protocol `localhost:`. */
const lacksProtocol = (address: string | URL) =>
  /^(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/i.test(String(address));

/** Whether the client may send requests to an address: over plain `http:`, the token could be read in transit. */
export const mayFetch =
  ({ dangerouslyAllowHttp }: EmailPlatformOptions) =>
  ({ protocol, hostname, origin }: URL): boolean =>
    protocol === 'https:' ||
    (protocol === 'http:' &&
      (isLoopback(hostname) || origin === pageAddress()?.origin || dangerouslyAllowHttp === true));

/** The address of a host and its source. */
interface HostAddress {
  readonly address: string;
  readonly isByDomain: boolean;
}

/** The address of a host, from the first option or environment variable that has one. */
function resolveHost(name: HostName, options: EmailPlatformOptions): HostAddress | undefined {
  const option = `hosts.${name}` as const;
  const { hosts = {} } = options;
  const fromUrl = (address: string) => ({ address, isByDomain: false });
  const under = (domain: unknown, label: string) => ({
    address: addressUnder(name, domain, label),
    isByDomain: true,
  });
  if (hosts[name] === undefined && hosts.domain !== undefined) return under(hosts.domain, 'hosts.domain');
  const { value: own, label } = read(option, hosts[name]);
  if (own !== undefined) return fromUrl(checkedAddress(option, own, label, options));
  const base = readVariable(BASE_VARIABLE, option);
  if (base !== undefined) return fromUrl(checkedAddress(option, base, BASE_VARIABLE, options) + PATHS[name]);
  const domain = readVariable(DOMAIN_VARIABLE, 'hosts.domain');
  return domain === undefined ? undefined : under(domain, DOMAIN_VARIABLE);
}

/** Checks one address: the API's paths can be added to it, and the connection cannot be read in transit. */
function checkedAddress(
  option: `hosts.${HostName}`,
  address: string | URL,
  label: string,
  options: EmailPlatformOptions,
): string {
  const isAddress = typeof address === 'string' || address instanceof URL;
  if (isAddress && lacksProtocol(address))
    throw invalid(option, 'must be a URL, such as http://localhost:4010', label);
  const url = isAddress ? urlOf(address, pageAddress()?.href) : undefined;
  if (!url || url.username + url.password + url.search + url.hash !== '') {
    const rule = 'must be a URL without user name, query and fragment, such as https://api.example.com';
    throw invalid(option, rule, label);
  }
  if (!mayFetch(options)(url))
    throw invalid(option, 'must start with https://, unless dangerouslyAllowHttp is set', label);
  // `href` would keep the `?` or `#` of an empty query or fragment.
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** The addresses of the hosts that have one. */
export function resolveHosts(options: EmailPlatformOptions): CallConfig['hosts'] {
  const resolved: Partial<Record<HostName, string>> = {};
  const byDomain: HostName[] = [];
  for (const name of HOST_NAMES) {
    const host = resolveHost(name, options);
    if (!host) continue;
    resolved[name] = host.address;
    if (host.isByDomain) byDomain.push(name);
  }
  refuseHalfLive(resolved, byDomain, isLoopback);
  return resolved;
}
