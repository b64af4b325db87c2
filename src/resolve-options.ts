import { durationRule } from './core/durations.ts';
import { ConfigurationError, type Issue } from './core/errors.ts';
import { invalid, refuseUnknown } from './core/option-checks.ts';
import { idRule, retryIssues } from './core/request-options.ts';
import type { HostName, RequestContext, Stream } from './core/request.ts';
import type { Throttle } from './core/throttle.ts';
import { environmentVariable, isBrowser, pageAddress } from './environment.ts';
import type { AppInfo, EmailPlatformOptions } from './options.ts';
import { AbortWatch } from './transport/abort-watch.ts';
import { checkToken } from './transport/auth.ts';
import { DEFAULT_RETRY } from './transport/retry.ts';
import type { TransportConfig } from './transport/config.ts';
import { systemRuntime, type Runtime } from './transport/runtime.ts';
import { createThrottle } from './transport/throttle.ts';
import { needed, VARIABLES } from './transport/variables.ts';
import { VERSION } from './version.ts';

const HOST_NAMES = ['api', 'send', 'bulk', 'sandbox'] as const satisfies HostName[];
const STREAMS: readonly Stream[] = ['transactional', 'bulk', 'sandbox'];
const HOOK_NAMES = ['onRequest', 'onResponse', 'onRetry', 'onThrottle', 'onMismatch'] as const;
const KNOWN: readonly (keyof EmailPlatformOptions)[] = [
  'token',
  'auth',
  'accountId',
  'stream',
  'sandboxInboxId',
  'hosts',
  'timeoutMs',
  'deadlineMs',
  'retry',
  'throttle',
  'fetch',
  'hooks',
  'appInfo',
  'dangerouslyAllowBrowser',
  'dangerouslyAllowHttp',
];

function fail(option: string, rule: string, label?: string): never {
  throw invalid(option, rule, label);
}

function refuse(option: string, rule: string | undefined, label = option): void {
  if (rule !== undefined) fail(option, rule, label);
}

/** What the caller set for an option, and the name of the place it was set in. */
function read<T>(
  option: keyof typeof VARIABLES,
  value: T | undefined,
): { value: T | string | undefined; label: string } {
  if (value !== undefined) return { value, label: option };
  return { value: environmentVariable(VARIABLES[option]), label: VARIABLES[option] };
}

const isLoopback = (hostname: string) =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname.toLowerCase());

const allowsHttpTo =
  ({ dangerouslyAllowHttp }: EmailPlatformOptions) =>
  (url: URL): boolean =>
    isLoopback(url.hostname) || url.origin === pageAddress()?.origin || dangerouslyAllowHttp === true;

/** Checks one address: what the API's paths can be added to, over a connection nobody can read. */
function resolveHost(name: HostName, options: EmailPlatformOptions): string | undefined {
  const option = `hosts.${name}` as const;
  const { value: address, label } = read(option, options.hosts?.[name]);
  if (address === undefined) return undefined;
  const refuseAddress = (rule: string) => fail(option, rule, label);
  const page = pageAddress();
  if (typeof address !== 'string' && !(address instanceof URL)) refuseAddress('must be a string or a URL');
  const text = String(address).trim();
  const url = URL.canParse(text, page?.href) ? new URL(text, page?.href) : undefined;
  if (!url || text === '') {
    return refuseAddress(page ? 'must be a URL' : 'must be an absolute URL, such as https://api.example.com');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') refuseAddress('must start with https://');
  if (url.username !== '' || url.password !== '') refuseAddress('must not hold a user name or a password');
  if (url.search !== '' || url.hash !== '') refuseAddress('must not have a query or a fragment');
  if (url.protocol === 'http:' && !allowsHttpTo(options)(url)) {
    refuseAddress('must use https: over plain http the token could be read on its way');
  }
  // Not `href`: that keeps the mark of an empty query or fragment.
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function resolveHosts(options: EmailPlatformOptions): TransportConfig['hosts'] {
  const { hosts = {} } = options;
  refuseUnknown(hosts, HOST_NAMES, 'hosts');
  const resolved: Partial<Record<HostName, string>> = {};
  for (const name of HOST_NAMES) {
    const address = resolveHost(name, options);
    if (address !== undefined) resolved[name] = address;
  }
  return resolved;
}

function resolveToken(
  options: EmailPlatformOptions,
  hosts: TransportConfig['hosts'],
): TransportConfig['token'] {
  const { value: token, label } = read('token', options.token);
  if (token === undefined) {
    const origin = pageAddress()?.origin;
    const addresses = Object.values(hosts);
    // A proxy on the page's own origin adds the token; nothing else may do without one.
    const isProxied =
      addresses.length > 0 && addresses.every((address) => new URL(address).origin === origin);
    if (isProxied) return undefined;
    throw new ConfigurationError(needed('token'), { option: 'token' });
  }
  if (typeof token !== 'function') checkToken(token, label);
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    fail(
      'token',
      'must not be in a browser, where everyone who opens the page can read it: let hosts point to a proxy of your own that adds it, or set dangerouslyAllowBrowser',
    );
  }
  return token;
}

function resolveId(name: 'accountId' | 'sandboxInboxId', option: unknown): number | undefined {
  const { value, label } = read(name, option);
  if (value === undefined) return undefined;
  const id = option === undefined ? Number(value) : value;
  refuse(name, idRule(id), label);
  return id as number;
}

function resolveContext({ stream = 'transactional', ...options }: EmailPlatformOptions): RequestContext {
  if (!STREAMS.includes(stream)) fail('stream', `must be ${STREAMS.join(' or ')}`);
  const sandboxInboxId = resolveId('sandboxInboxId', options.sandboxInboxId);
  if (stream === 'sandbox' && sandboxInboxId === undefined)
    throw new ConfigurationError(needed('sandboxInboxId'), { option: 'sandboxInboxId' });
  return { accountId: resolveId('accountId', options.accountId), stream, sandboxInboxId };
}

function resolveRetry(retry: EmailPlatformOptions['retry']): TransportConfig['retry'] {
  const [issue] = retryIssues(retry, 'retry') as [Issue?];
  if (issue) fail(issue.path, issue.message);
  if (retry === false) return false;
  return {
    maxRetries: retry?.maxRetries ?? DEFAULT_RETRY.maxRetries,
    maxWaitMs: retry?.maxWaitMs ?? DEFAULT_RETRY.maxWaitMs,
  };
}

const isThrottle = (value: object): value is Throttle =>
  'acquire' in value && typeof value.acquire === 'function';

function resolveThrottle(
  throttle: EmailPlatformOptions['throttle'] | null = {},
  runtime: Runtime,
): Throttle | undefined {
  if (throttle === false) return undefined;
  if (typeof throttle !== 'object' || throttle === null)
    fail('throttle', 'must be options, a throttle, or false');
  return isThrottle(throttle) ? throttle : createThrottle(throttle, runtime);
}

const isWord = (text: unknown) => typeof text === 'string' && /^[\w.-]+$/.test(text);

function userAgent(appInfo: AppInfo | undefined): string | undefined {
  if (appInfo) {
    refuseUnknown(appInfo, ['name', 'version'], 'appInfo');
    const { name, version } = appInfo;
    if (!isWord(name)) fail('appInfo.name', 'must be letters, digits and -_.');
    if (version !== undefined && !isWord(version)) fail('appInfo.version', 'must be letters, digits and -_.');
  }
  if (isBrowser()) return undefined;
  const app = appInfo ? ` ${appInfo.name}${appInfo.version === undefined ? '' : `/${appInfo.version}`}` : '';
  return `email-platform/${VERSION}${app}`;
}

/** Checks the options, reads the environment, fills in defaults. */
export function resolveOptions(
  options: EmailPlatformOptions,
  runtime: Runtime = systemRuntime,
): TransportConfig {
  refuseUnknown(options, KNOWN, '');
  const { auth = 'bearer', timeoutMs = 30_000, deadlineMs, fetch, hooks = {} } = options;
  if (!['bearer', 'api-token'].includes(auth)) fail('auth', "must be 'bearer' or 'api-token'");
  refuse('timeoutMs', durationRule(timeoutMs));
  if (deadlineMs !== undefined) refuse('deadlineMs', durationRule(deadlineMs));
  if (fetch !== undefined && typeof fetch !== 'function') fail('fetch', 'must be a function');
  refuseUnknown(hooks, HOOK_NAMES, 'hooks');
  for (const name of HOOK_NAMES) {
    if (hooks[name] !== undefined && typeof hooks[name] !== 'function')
      fail(`hooks.${name}`, 'must be a function');
  }
  const hosts = resolveHosts(options);
  const token = resolveToken(options, hosts);
  const context = resolveContext(options);
  return {
    hosts,
    token,
    auth,
    context,
    allowsHttpTo: allowsHttpTo(options),
    key: { token, accountId: context.accountId },
    timeoutMs,
    deadlineMs,
    retry: resolveRetry(options.retry),
    throttle: resolveThrottle(options.throttle, runtime),
    fetch,
    hooks,
    userAgent: userAgent(options.appInfo),
    runtime,
    abortWatch: new AbortWatch(),
  };
}
