/**
 * The host of a request: one of the service's four; `storage`, the host of signed links to raw messages; or `reader`, the
 * host of the links in an email by which its reader unsubscribes.
 */
export type EmulatorHost = 'api' | 'send' | 'bulk' | 'sandbox' | 'storage' | 'reader';

/** The four base addresses of the service. */
export interface EmulatorHosts {
  /** The account host: campaigns, email logs, templates, domains and accounts. */
  api: string;
  /** Sending on the transactional stream. */
  send: string;
  /** Sending on the bulk stream. */
  bulk: string;
  /** Sending to a test inbox. */
  sandbox: string;
}

// One origin serves all hosts under different prefixes, so that one port (or one set of handlers) is enough.
const PREFIXES: Readonly<Record<EmulatorHost, string>> = {
  api: '/account',
  send: '/send',
  bulk: '/bulk',
  sandbox: '/sandbox',
  storage: '/storage',
  reader: '/reader',
};

const HOST_NAMES = Object.keys(PREFIXES) as EmulatorHost[];

/** The origin of the emulator in memory. The domain `.test` is reserved: no real server can have this name. */
export const MEMORY_ORIGIN = 'https://emulator.test';

/** The four base addresses under an origin. */
export function hostsAt(origin: string): EmulatorHosts {
  const at = (name: EmulatorHost) => origin + PREFIXES[name];
  return { api: at('api'), send: at('send'), bulk: at('bulk'), sandbox: at('sandbox') };
}

/** The target of a request: the host, the path on that host, the base address and the origin. */
export interface Located {
  readonly host: EmulatorHost;
  readonly path: string;
  readonly base: string;
  readonly origin: string;
}

/** Finds the host by the prefix of the path; `undefined` if the path has none. */
export function locate(url: URL): Located | undefined {
  const host = HOST_NAMES.find((name) => url.pathname.startsWith(`${PREFIXES[name]}/`));
  if (host === undefined) return undefined;
  const prefix = PREFIXES[host];
  return { host, path: url.pathname.slice(prefix.length), base: url.origin + prefix, origin: url.origin };
}

/** The message for a path that has no prefix or is only a prefix. It lists the prefixes. */
export function withoutPrefix(method: string, path: string): string {
  const host = HOST_NAMES.find((name) => PREFIXES[name] === path);
  if (host !== undefined) {
    const example = host === 'api' ? `, such as ${path}/api/accounts` : '';
    return `${path} is the address of the host ${host}, and has no page of its own: add the path of an endpoint${example}`;
  }
  const prefixes = Object.entries(PREFIXES).map(([host, prefix]) => `${prefix} (${host})`);
  return (
    `The emulator does not have ${method} ${path}: it does not begin with the prefix of a host. The prefixes are ` +
    `${prefixes.join(', ')}. Use the addresses in \`hosts\` of the server or of clientOptions(), not the origin alone.`
  );
}
