/**
 * Where a request goes: one of the service's four base addresses, or `storage`, where the signed links to raw messages
 * lead.
 */
export type EmulatorHost = 'api' | 'send' | 'bulk' | 'sandbox' | 'storage';

/** Where the four base addresses of the service are found. */
export interface EmulatorHosts {
  /** The account host: campaigns, email logs, templates, domains, accounts. */
  api: string;
  /** The transactional stream. */
  send: string;
  /** The bulk stream. */
  bulk: string;
  /** The sandbox. */
  sandbox: string;
}

// One origin serves all of them: a prefix tells them apart, so that one port (or one set of handlers) is enough.
const prefixes: Readonly<Record<EmulatorHost, string>> = {
  api: '/account',
  send: '/send',
  bulk: '/bulk',
  sandbox: '/sandbox',
  storage: '/storage',
};

const names = Object.keys(prefixes) as EmulatorHost[];

/** The origin of the emulator in memory. `.test` is reserved: it can never be somebody's server. */
export const memoryOrigin = 'https://emulator.test';

/** The four base addresses under an origin. */
export function hostsAt(origin: string): EmulatorHosts {
  const at = (name: EmulatorHost) => origin + prefixes[name];
  return { api: at('api'), send: at('send'), bulk: at('bulk'), sandbox: at('sandbox') };
}

/** Where a request went: the host, the path as the service sees it, and the base address it was sent to. */
export interface Located {
  readonly host: EmulatorHost;
  readonly path: string;
  readonly base: string;
  readonly origin: string;
}

/** Tells the host from the prefix; `undefined` when there is none. */
export function locate(url: URL): Located | undefined {
  const host = names.find((name) => url.pathname.startsWith(`${prefixes[name]}/`));
  if (host === undefined) return undefined;
  const prefix = prefixes[host];
  return { host, path: url.pathname.slice(prefix.length), base: url.origin + prefix, origin: url.origin };
}
