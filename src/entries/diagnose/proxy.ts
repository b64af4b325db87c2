/** The proxy in the environment, and whether this process uses it. */
import { builtinModule, environmentVariable, repeatingRuntime } from '../../core/platform.ts';
import { urlOf } from '../../core/host-name.ts';
import type { Finding } from './findings.ts';

const NAMES = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'HTTP_PROXY', 'http_proxy'];

const NEEDS = 'Node uses it from 22.21 and 24.5, with NODE_USE_ENV_PROXY=1';

/** Whether Node passes the connections of its `fetch` to the proxy. Bun and Deno always do. */
function isUsed(): boolean {
  if (repeatingRuntime() !== 'node') return true;
  const { versions, execArgv = [] } = Object(builtinModule('node:process')) as {
    readonly versions?: { readonly node?: string };
    readonly execArgv?: readonly string[];
  };
  const [major = 0, minor = 0] = (versions?.node ?? '').split('.').map(Number);
  const knows = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
  const options = `${environmentVariable('NODE_OPTIONS') ?? ''} ${execArgv.join(' ')}`;
  const isAsked = environmentVariable('NODE_USE_ENV_PROXY') === '1' || options.includes('--use-env-proxy');
  return knows && isAsked;
}

/** The finding about a proxy; none without a proxy. `isCut` says whether a host could not be reached. */
export function proxyFindings(isCut: boolean): Finding[] {
  const name = NAMES.find((one) => environmentVariable(one) !== undefined);
  if (name === undefined) return [];
  // The address of a proxy may have a password, so only its host is shown.
  const host = urlOf(environmentVariable(name) ?? '')?.host ?? 'no URL';
  const used = isUsed();
  const text = `${name} (${host}) is set, and ${used ? 'used' : 'this process does not use it'}`;
  if (!isCut) return [{ topic: 'proxy', level: 'ok', text }];
  const remedy = used
    ? `check whether ${name} is right, and lets the host pass; or name the host in NO_PROXY`
    : `if this network needs the proxy: ${NEEDS}`;
  return [{ topic: 'proxy', level: 'warning', text, remedy }];
}
