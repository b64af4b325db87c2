import { EmailPlatformError } from './core/error-base.ts';
import {
  anything,
  booleanRule,
  durationRule,
  functionRule,
  invalid,
  mustBe,
  objectOf,
  oneOf,
  positiveRule,
  recordOf,
  refuse,
} from './core/rules.ts';
import { retryRule } from './core/request-options.ts';
import { HOST_NAMES, STREAMS, type HostName, type RequestContext } from './core/request.ts';
import { completeMail } from './models/mail-input.ts';
import { defaultsRule } from './models/sending-checks.ts';
import type { ResponseSchemas } from './models/response-schemas.ts';
import { schemaRule } from './core/standard-schema.ts';
import { environmentVariable, isBrowser, pageAddress, repeatingRuntime } from './environment.ts';
import type { AppInfo, EmailPlatformOptions, Hosts } from './options.ts';
import { AbortWatch } from './call/abort-watch.ts';
import { checkToken } from './http/auth.ts';
import { Tokens } from './http/redact.ts';
import type { CallConfig } from './call/config.ts';
import type { Hooks } from './call/hooks.ts';
import { retryLimits } from './retry/policy.ts';
import { systemRuntime, type Runtime } from './core/runtime.ts';
import { createThrottle } from './throttle/create-throttle.ts';
import { THROTTLE, type Throttle } from './throttle/throttle.ts';
import { missing, VARIABLES } from './core/variables.ts';
import { VERSION } from './version.ts';

const nameRule = mustBe(
  'letters, digits and -_.',
  (text) => typeof text === 'string' && /^[\w.-]+$/.test(text),
);

/** Checks the options as given. Those the environment may supply are checked once it has been read. */
export const optionsRule = objectOf<EmailPlatformOptions>({
  token: anything,
  auth: oneOf(['bearer', 'api-token']),
  accountId: anything,
  stream: oneOf(STREAMS),
  sandboxInboxId: anything,
  defaults: (defaults) => defaultsRule(completeMail(defaults)),
  hosts: objectOf<Hosts>({ api: anything, send: anything, bulk: anything, sandbox: anything }),
  timeoutMs: durationRule,
  deadlineMs: durationRule,
  retry: retryRule,
  throttle: mustBe(
    'options, a throttle, or false',
    (throttle) => throttle === false || (typeof throttle === 'object' && throttle !== null),
  ),
  fetch: functionRule,
  hooks: objectOf<Hooks>({
    onRequest: functionRule,
    onResponse: functionRule,
    onRetry: functionRule,
    onThrottle: functionRule,
    onMismatch: functionRule,
    onEnd: functionRule,
  }),
  schemas: recordOf((schema) => (schema === undefined ? undefined : schemaRule(schema))),
  validateResponses: oneOf(['report', 'throw']),
  appInfo: objectOf<AppInfo>({ name: nameRule, version: nameRule }, ['name']),
  dangerouslyAllowBrowser: booleanRule,
  dangerouslyAllowHttp: booleanRule,
});

/** The schemas, where something is to be done with what they find. */
function resolveSchemas({
  schemas,
  hooks,
  validateResponses,
}: EmailPlatformOptions): ResponseSchemas | undefined {
  const needing =
    validateResponses === 'throw' ? "validateResponses 'throw'" : hooks?.onMismatch && 'hooks.onMismatch';
  if (needing === undefined) return undefined;
  if (schemas !== undefined) return schemas;
  const todo = "import * as schemas from 'email-platform/schemas' and pass { schemas }";
  throw invalid('schemas', `is required by ${needing}: ${todo}`);
}

/** The value of an option, and what to call it in messages: the option or the environment variable it came from. */
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

/** Checks one address: the API's paths can be added to it, and the connection cannot be read in transit. */
function resolveHost(name: HostName, options: EmailPlatformOptions): string | undefined {
  const option = `hosts.${name}` as const;
  const { value: address, label } = read(option, options.hosts?.[name]);
  if (address === undefined) return undefined;
  const refuseAddress = (rule: string): never => {
    throw invalid(option, rule, label);
  };
  const page = pageAddress();
  if (typeof address !== 'string' && !(address instanceof URL)) refuseAddress('must be a string or a URL');
  const text = String(address).trim();
  const url = URL.canParse(text, page?.href) ? new URL(text, page?.href) : undefined;
  if (!url || text === '') {
    return refuseAddress(page ? 'must be a URL' : 'must be an absolute URL, such as https://api.example.com');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    refuseAddress('must start with https://, or http:// on this machine');
  if (url.username !== '' || url.password !== '') refuseAddress('must not contain a user name or a password');
  if (url.search !== '' || url.hash !== '') refuseAddress('must not have a query or a fragment');
  if (url.protocol === 'http:' && !allowsHttpTo(options)(url)) {
    refuseAddress(
      'must use https; over plain http the token could be read in transit (dangerouslyAllowHttp allows it)',
    );
  }
  // Not `href`: it keeps the `?` or `#` of an empty query or fragment.
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function resolveHosts(options: EmailPlatformOptions): CallConfig['hosts'] {
  const resolved: Partial<Record<HostName, string>> = {};
  for (const name of HOST_NAMES) {
    const address = resolveHost(name, options);
    if (address !== undefined) resolved[name] = address;
  }
  return resolved;
}

function resolveToken(options: EmailPlatformOptions, hosts: CallConfig['hosts']): CallConfig['token'] {
  const { value: token, label } = read('token', options.token);
  if (token === undefined) {
    const origin = pageAddress()?.origin;
    const addresses = Object.values(hosts);
    // A proxy on the page's own origin adds the token; everything else needs one.
    const isProxied =
      addresses.length > 0 && addresses.every((address) => new URL(address).origin === origin);
    if (isProxied) return undefined;
    if (origin !== undefined)
      throw invalid('token', `is missing: point hosts at a proxy under ${origin} that adds it`);
    throw missing('token');
  }
  if (typeof token !== 'function') checkToken(token, label);
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw invalid(
      'token',
      'must not be used in a browser, where anyone who opens the page can read it: point hosts at a proxy of your own that adds it, or set dangerouslyAllowBrowser',
    );
  }
  return token;
}

function resolveId(name: 'accountId' | 'sandboxInboxId', option: unknown): number | undefined {
  const { value, label } = read(name, option);
  if (value === undefined) return undefined;
  const id = option === undefined ? Number(value) : value;
  refuse(name, positiveRule(id), label);
  return id as number;
}

function resolveContext({ stream = 'transactional', ...options }: EmailPlatformOptions): RequestContext {
  const sandboxInboxId = resolveId('sandboxInboxId', options.sandboxInboxId);
  if (stream === 'sandbox' && sandboxInboxId === undefined) throw missing('sandboxInboxId');
  return { accountId: resolveId('accountId', options.accountId), stream, sandboxInboxId };
}

const isThrottle = (value: object): value is Throttle =>
  Symbol.toStringTag in value && value[Symbol.toStringTag] === THROTTLE;

function resolveThrottle(
  throttle: EmailPlatformOptions['throttle'] = {},
  runtime: Runtime,
): Throttle | undefined {
  if (throttle === false) return undefined;
  return isThrottle(throttle) ? throttle : createThrottle(throttle, runtime);
}

function userAgent(appInfo: AppInfo | undefined): string | undefined {
  if (isBrowser()) return undefined;
  const app = appInfo ? ` ${appInfo.name}${appInfo.version === undefined ? '' : `/${appInfo.version}`}` : '';
  return `email-platform/${VERSION}${app}`;
}

/** What is made of options; where a getter or a proxy of the caller's throws, they are refused. */
export function readOptions<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof EmailPlatformError ? error : invalid('options', 'cannot be read');
  }
}

/** Checks the options, reads the environment, fills in defaults. */
export function resolveOptions(
  options: EmailPlatformOptions,
  runtime: Runtime = systemRuntime,
  abortWatch = new AbortWatch(),
): CallConfig {
  refuse('', optionsRule(options));
  const { auth = 'bearer', timeoutMs = 30_000, deadlineMs, fetch, hooks = {} } = options;
  const { validateResponses = 'report' } = options;
  const hosts = resolveHosts(options);
  const token = resolveToken(options, hosts);
  // Where a proxy adds the token, its client keeps to the limits and retries: only one of the two sides may.
  const byProxy = token === undefined ? false : undefined;
  const context = resolveContext(options);
  return {
    hosts,
    token,
    auth,
    tokens: new Tokens(),
    context,
    allowsHttpTo: allowsHttpTo(options),
    key: { token, accountId: context.accountId },
    timeoutMs,
    deadlineMs,
    retry: retryLimits(options.retry, byProxy),
    throttle: resolveThrottle(options.throttle ?? byProxy, runtime),
    fetch,
    hooks,
    fetchRepeats: repeatingRuntime(),
    fetchFollows: isBrowser(),
    schemas: resolveSchemas(options),
    validateResponses,
    userAgent: userAgent(options.appInfo),
    runtime,
    abortWatch,
  };
}
