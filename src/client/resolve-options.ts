import { deepCopy } from '../core/copy.ts';
import { defined, type Defined } from '../core/defined.ts';
import { unreadable } from '../core/errors.ts';
import { isolated, isolatedIfPlain } from '../core/isolated.ts';
import type { Journal } from '../core/journal.ts';
import { OTHER_OPTIONS } from '../core/other-names.ts';
import {
  builtinModule,
  environmentVariable,
  hasNode,
  isBrowser,
  missesCuts,
  pageAddress,
  repeatingRuntime,
} from '../core/platform.ts';
import { retryRule } from '../core/request-options.ts';
import { HOST_NAMES, STREAMS, type HostName, type RequestContext, type Stream } from '../core/request.ts';
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
  type Rules,
} from '../core/rules.ts';
import { createRuntime, type Runtime } from '../core/runtime.ts';
import { schemaRule } from '../core/standard-schema.ts';
import { tried } from '../core/tried.ts';
import { BASE_VARIABLE, DOMAIN_VARIABLE, missing, VARIABLES } from '../core/variables.ts';
import { createGuard } from '../recipients/guard.ts';
import { recipientsRule, type RecipientRules } from '../recipients/options.ts';
import type { ResponseSchemas } from '../resources/responses.ts';
import { completeMail } from '../resources/sending/mail-input.ts';
import { defaultsRule } from '../resources/sending/rules.ts';
import type { MailDefaults } from '../resources/sending/types.ts';
import { createThrottle } from '../throttle/create-throttle.ts';
import { THROTTLE, type Throttle } from '../throttle/throttle.ts';
import { checkToken } from '../transport/attempt.ts';
import { openTracing } from '../transport/channels.ts';
import type { CallConfig } from '../transport/config.ts';
import { addHooks, type Hooks } from '../transport/hooks.ts';
import {
  CONSOLE_LOGGER,
  LOG_LEVELS,
  loggingHooks,
  warningsTo,
  type Logger,
  type LogLevel,
} from '../transport/logger.ts';
import { Tokens } from '../transport/redaction.ts';
import { retryLimits } from '../transport/retry-policy.ts';
import { VERSION } from '../version.ts';
import { addressUnder, refuseHalfLive } from './domain-hosts.ts';
import type { AppInfo, EmailPlatformOptions, Hosts } from './options.ts';
import { checkVariables } from './misspelt-variables.ts';
import { resolveRecipients } from './resolve-recipients.ts';

const streamRule = oneOf(STREAMS);

const nameRule = mustBe(
  'letters, digits and -_.',
  (text) => typeof text === 'string' && /^[\w.-]+$/.test(text),
);

const hooksObject = objectOf<Hooks>(
  {
    onStart: functionRule,
    onRequest: functionRule,
    onResponse: functionRule,
    onRetry: functionRule,
    onThrottle: functionRule,
    onMismatch: functionRule,
    onEnd: functionRule,
  },
  [],
  'false or an object of functions',
);

const logLevelRule = oneOf(LOG_LEVELS);

const loggerRule = mustBe(
  'false or an object with the functions debug, info, warn and error',
  (logger) =>
    logger === false ||
    (typeof logger === 'object' &&
      LOG_LEVELS.every((level) => typeof (logger as Partial<Logger>)[level] === 'function')),
);

/** What options must be. */
export const AN_OBJECT = 'an object, such as { token }';

/** Recognized by shape: it may be made by another copy of the package. */
const isJournal = (value: unknown) => {
  const { store, inFlight, namespace, variable } = value as Readonly<Record<keyof Journal, object>>;
  const has = (object: object, methods: readonly string[]) =>
    methods.every((name) => typeof (object as Record<string, unknown>)[name] === 'function');
  const isNamed = [namespace, variable].every((name) => typeof name === 'string');
  return (
    isNamed && has(store, ['claim', 'record', 'open', 'forget']) && has(inFlight, ['get', 'set', 'delete'])
  );
};

/** Checks the options as given, but for those that are checked when they are resolved. */
const optionFields: Rules<EmailPlatformOptions> = {
  token: anything,
  auth: oneOf(['bearer', 'api-token']),
  accountId: anything,
  stream: streamRule,
  sandboxInboxId: anything,
  defaults: (defaults) => defaultsRule(completeMail(defaults)),
  recipients: recipientsRule,
  journal: mustBe('a journal, such as sqliteJournal(db) of email-platform/journal', isJournal),
  hosts: objectOf<Hosts>({
    domain: anything,
    api: anything,
    send: anything,
    bulk: anything,
    sandbox: anything,
  }),
  timeoutMs: durationRule,
  deadlineMs: durationRule,
  retry: retryRule,
  throttle: anything,
  fetch: functionRule,
  hooks: (hooks) => (hooks === false ? undefined : hooksObject(hooks)),
  logger: loggerRule,
  logLevel: logLevelRule,
  sendCallId: booleanRule,
  schemas: recordOf((schema) => (schema === undefined ? undefined : schemaRule(schema))),
  validateResponses: oneOf(['report', 'throw']),
  appInfo: objectOf<AppInfo>({ name: nameRule, version: nameRule }, ['name']),
  dangerouslyAllowBrowser: booleanRule,
  dangerouslyAllowHttp: booleanRule,
};
const optionsRule = objectOf(optionFields, [], AN_OBJECT, OTHER_OPTIONS);

/** The schemas, where something is to be done with what they find. */
function resolveSchemas(
  { schemas, validateResponses }: EmailPlatformOptions,
  hooks: Hooks,
  logging: Hooks,
): ResponseSchemas | undefined {
  if (validateResponses !== 'throw' && !hooks.onMismatch) return logging.onMismatch && schemas;
  if (schemas !== undefined) return schemas;
  const from = "import * as schemas from 'email-platform/schemas'";
  throw invalid('schemas', `is required by validateResponses and hooks.onMismatch: ${from}`);
}

/** The value of an option, and what to call it in messages: the option or the environment variable it came from. */
function read<T>(
  option: keyof typeof VARIABLES,
  value: T | undefined,
): { value: T | string | undefined; label: string } {
  if (value !== undefined) return { value, label: option };
  return { value: environmentVariable(VARIABLES[option]), label: VARIABLES[option] };
}

/** The path of each host under the one address of `EMAIL_PLATFORM_URL`: those of the emulator. */
const PATHS: Readonly<Record<HostName, string>> = {
  api: '/account',
  send: '/send',
  bulk: '/bulk',
  sandbox: '/sandbox',
};

/** Whether a host is this machine. A name under `localhost` is not: Node asks DNS for it, which may lead anywhere. */
const isLoopback = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** An address of this machine without its protocol. As a URL, `localhost:4010` has the protocol `localhost:`. */
const lacksProtocol = (address: string | URL) =>
  /^(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/i.test(String(address));

/** Whether an address may be sent requests: over plain `http:`, the token could be read in transit. */
const mayFetch =
  ({ dangerouslyAllowHttp }: EmailPlatformOptions) =>
  ({ protocol, hostname, origin }: URL): boolean =>
    protocol === 'https:' ||
    (protocol === 'http:' &&
      (isLoopback(hostname) || origin === pageAddress()?.origin || dangerouslyAllowHttp === true));

/** Where the address of a host is from. */
interface FoundHost {
  readonly address: string;
  readonly isByDomain: boolean;
}

/** The address of a host: the first of the options and environment variables that has it. */
function resolveHost(name: HostName, options: EmailPlatformOptions): FoundHost | undefined {
  const option = `hosts.${name}` as const;
  const { hosts = {} } = options;
  const given = (address: string) => ({ address, isByDomain: false });
  const under = (domain: unknown, label: string) => ({
    address: addressUnder(name, domain, label),
    isByDomain: true,
  });
  if (hosts[name] === undefined && hosts.domain !== undefined) return under(hosts.domain, 'hosts.domain');
  const { value: own, label } = read(option, hosts[name]);
  if (own !== undefined) return given(checkedAddress(option, own, label, options));
  const base = environmentVariable(BASE_VARIABLE);
  if (base !== undefined) return given(checkedAddress(option, base, BASE_VARIABLE, options) + PATHS[name]);
  const domain = environmentVariable(DOMAIN_VARIABLE);
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
  const url = isAddress ? tried(() => new URL(address, pageAddress()?.href)) : undefined;
  if (!url || url.username + url.password + url.search + url.hash !== '') {
    const rule = 'must be a URL without user name, query and fragment, such as https://api.example.com';
    throw invalid(option, rule, label);
  }
  if (!mayFetch(options)(url))
    throw invalid(option, 'must start with https://, unless dangerouslyAllowHttp is set', label);
  // Not `href`: it keeps the `?` or `#` of an empty query or fragment.
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function resolveHosts(options: EmailPlatformOptions): CallConfig['hosts'] {
  const resolved: Partial<Record<HostName, string>> = {};
  const byDomain: HostName[] = [];
  for (const name of HOST_NAMES) {
    const found = resolveHost(name, options);
    if (!found) continue;
    resolved[name] = found.address;
    if (found.isByDomain) byDomain.push(name);
  }
  refuseHalfLive(resolved, byDomain, isLoopback);
  return resolved;
}

function resolveToken(options: EmailPlatformOptions, hosts: CallConfig['hosts']): CallConfig['token'] {
  const { value: token, label } = read('token', options.token);
  const addresses = Object.values(hosts);
  const isOwn = (address: string) => new URL(address).origin === pageAddress()?.origin;
  // A proxy on the page's own origin adds the token; everything else needs one.
  if (token === undefined && addresses.length > 0 && addresses.every(isOwn)) return undefined;
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    // A page that has Node's process is emulated, as jsdom does.
    const inTest = hasNode() ? '; in a test, run this file in the node environment' : '';
    const todo = `point hosts at a proxy on the page's own origin that adds it, or set dangerouslyAllowBrowser${inTest}`;
    throw invalid('token', `must not be used in a browser, where anyone can read it: ${todo}`);
  }
  if (token === undefined) throw missing('token');
  if (typeof token !== 'function') checkToken(token, label);
  return token;
}

function resolveId(name: 'accountId' | 'sandboxInboxId', option: unknown): number | undefined {
  const { value, label } = read(name, option);
  if (value === undefined) return undefined;
  const id = option === undefined ? Number(value) : value;
  refuse(name, positiveRule(id), label);
  return id as number;
}

function resolveStream(options: EmailPlatformOptions): Stream {
  const { value = 'transactional', label } = read('stream', options.stream);
  refuse('stream', streamRule(value), label);
  return value as Stream;
}

/** The defaults of emails, addresses as objects; the sender may come from the environment. */
function resolveDefaults({ defaults }: EmailPlatformOptions): MailDefaults | undefined {
  const own = defaults && completeMail(deepCopy(defaults));
  const { value: sender, label } = read('defaults.from', own?.from);
  if (sender === undefined || own?.from !== undefined) return own;
  const { from } = completeMail({ from: sender });
  refuse('defaults', defaultsRule({ from }), label);
  return { ...own, from };
}

/** Who is logged to, and from which level on: a logger has a default for its level, and a level one for its logger. */
function resolveLogging(options: EmailPlatformOptions): Pick<EmailPlatformOptions, 'logger' | 'logLevel'> {
  if (options.logger === false) return { logger: false };
  const { value: logLevel, label } = read('logLevel', options.logLevel);
  if (logLevel === undefined) return options.logger ? { logger: options.logger, logLevel: 'warn' } : {};
  refuse('logLevel', logLevelRule(logLevel), label);
  return { logger: options.logger ?? CONSOLE_LOGGER, logLevel: logLevel as LogLevel };
}

function resolveContext(options: EmailPlatformOptions): RequestContext {
  const stream = resolveStream(options);
  const sandboxInboxId = resolveId('sandboxInboxId', options.sandboxInboxId);
  if (stream === 'sandbox' && sandboxInboxId === undefined) throw missing('sandboxInboxId');
  const accountId = resolveId('accountId', options.accountId);
  return { accountId, accountIdOfCall: undefined, stream, sandboxInboxId };
}

const isThrottle = (value: unknown): value is Throttle =>
  (Object(value) as Partial<Throttle>)[Symbol.toStringTag] === THROTTLE;

function resolveThrottle(
  throttle: EmailPlatformOptions['throttle'] = {},
  runtime: Runtime,
  fetch: EmailPlatformOptions['fetch'],
): Throttle | undefined {
  if (throttle === false) return undefined;
  return isThrottle(throttle) ? throttle : createThrottle(throttle, runtime, epochOf(fetch));
}

/** The emulator's `fetch` tells how often its service began anew. */
function epochOf(fetch: unknown): (() => unknown) | undefined {
  const epoch = (Object(fetch) as { readonly [EPOCH]?: unknown })[EPOCH];
  return typeof epoch === 'function' ? (epoch as () => unknown) : undefined;
}

const EPOCH = Symbol.for('email-platform.epoch');

function userAgent({ name, version }: Partial<AppInfo> = {}): string | undefined {
  if (isBrowser()) return undefined;
  return `email-platform/${VERSION} ${name ?? ''}${version === undefined ? '' : `/${version}`}`.trim();
}

/** A client's config, and the options that clients derived from it begin with. */
export interface ClientConfig extends CallConfig {
  readonly journal?: Journal | undefined;
  readonly options: ResolvedOptions;
}

/** Options as they are resolved. */
export interface ResolvedOptions extends EmailPlatformOptions {
  /** What is made of `recipients`, with the rules of the environment. */
  readonly recipientRules?: readonly RecipientRules[] | undefined;
}

/** The hooks of a client: its own are added to those of the client it is derived from. */
function hooksOf(base: EmailPlatformOptions, { hooks: own = {} }: EmailPlatformOptions): Hooks {
  const { hooks: inherited } = base;
  if (own === false) return {};
  return addHooks(isolated(inherited === undefined || inherited === false ? {} : inherited), isolated(own));
}

/** Checks the options, adds those of the parent, reads the environment, fills in defaults. */
export const resolveOptions = (
  given: EmailPlatformOptions,
  runtime: Runtime = createRuntime(),
  parent?: ResolvedOptions,
): ClientConfig =>
  tried(
    () => {
      // Only own fields are options: a polluted Object.prototype has others.
      const own = isolatedIfPlain(given);
      refuse('', optionsRule(own));
      const base = parent ?? {};
      // A domain is for all hosts, those of the parent too.
      const inherited = own.hosts?.domain === undefined ? base.hosts : {};
      const hosts = isolated({ ...inherited, ...own.hosts });
      const options = isolated(defined({ ...base, ...defined(own), hosts }));
      if (!parent) checkVariables(resolveLogging(options));
      const rules = resolveRecipients(own.recipients, isolated(base).recipientRules);
      return configOf(options, hooksOf(base, own), rules, runtime);
    },
    unreadable('', () => invalid('options', 'cannot be read')),
  );

function configOf(
  options: Defined<EmailPlatformOptions>,
  hooks: Hooks,
  recipientRules: readonly RecipientRules[],
  runtime: Runtime,
): ClientConfig {
  const hosts = resolveHosts(options);
  const token = resolveToken(options, hosts);
  // Where a proxy adds the token, its client keeps to the limits and retries: only one of the two sides may.
  const byProxy = token === undefined ? false : undefined;
  const context = resolveContext(options);
  const { throttle: limits = byProxy } = options;
  const throttle = resolveThrottle(limits, runtime, options.fetch);
  const defaults = resolveDefaults(options);
  const { logger, logLevel } = isolated(resolveLogging(options));
  const isLogging = logger && logLevel;
  const logging = isLogging ? loggingHooks(logger, logLevel) : {};
  return isolated<ClientConfig>({
    auth: 'bearer',
    timeoutMs: 30_000,
    validateResponses: 'report',
    ...options,
    hooks: addHooks(hooks, logging),
    warn: isLogging ? warningsTo(logger, logLevel) : undefined,
    tracing: openTracing(builtinModule('node:diagnostics_channel')),
    hosts,
    token,
    tokens: new Tokens(),
    context,
    mayFetch: mayFetch(options),
    key: { token, accountId: context.accountId },
    guard: recipientRules.length > 0 ? createGuard(recipientRules) : undefined,
    retry: retryLimits(options.retry ?? byProxy),
    throttle,
    fetchRepeats: repeatingRuntime(),
    fetchFollows: isBrowser(),
    missesCuts: missesCuts(),
    schemas: resolveSchemas(options, hooks, logging),
    userAgent: userAgent(options.appInfo),
    runtime,
    // As resolved: clients derived from this one do not read the environment again.
    options: {
      ...options,
      ...context,
      hooks,
      token,
      hosts,
      throttle: throttle ?? false,
      defaults,
      recipientRules,
      logger,
      logLevel,
    },
  });
}
