/**
 * Resolves the options of a client to its config: checks them and adds the options of its parent, the environment and
 * the defaults.
 */
import { defined, type Defined } from '../kit/defined.ts';
import { unreadable } from '../core/errors.ts';
import { deepCopy, isolated } from '../core/isolated.ts';
import type { Journal } from '../core/journal.ts';
import { builtinModule } from '../core/platform.ts';
import { fieldOf, isRecord, memberOf } from '../core/record.ts';
import { invalid, refuse } from '../core/rules.ts';
import { createRuntime, type Runtime } from '../core/runtime.ts';
import { isPromise, tried } from '../core/tried.ts';
import { createGuard } from '../recipients/guard.ts';
import type { RecipientRules } from '../recipients/options.ts';
import { openTracing } from '../transport/channels.ts';
import type { CallConfig } from '../transport/config.ts';
import { RuntimeFetch } from '../transport/runtimes/runtime-fetch.ts';
import type { Hooks } from '../transport/hooks.ts';
import { Tokens } from '../transport/redaction.ts';
import { retryLimits } from '../transport/retry-policy.ts';
import { VERSION } from '../version.ts';
import { checkVariables } from './misspelt-variables.ts';
import { optionsRule } from './option-rules.ts';
import type { AppInfo, EmailPlatformOptions, Hosts } from './options.ts';
import { resolveContext, resolveDefaults } from './resolve-context.ts';
import { mayFetch, resolveHosts } from './resolve-hosts.ts';
import { hooksOf, resolveLogging, resolveObservers } from './resolve-observers.ts';
import { resolveRecipients } from './resolve-recipients.ts';
import { resolveThrottle } from './resolve-throttle.ts';
import { resolveToken } from './resolve-token.ts';

/** A client's config, and the options that its derived clients inherit. */
export interface ClientConfig extends CallConfig {
  readonly journal?: Journal | undefined;
  readonly options: ResolvedOptions;
}

/** Resolved options: derived clients do not read the environment again. */
export interface ResolvedOptions extends EmailPlatformOptions {
  /** The rules from `recipients` and from the environment. */
  readonly recipientRules?: readonly RecipientRules[] | undefined;
}

/** Options that are data. The others have methods or an identity, such as a journal, a throttle or a URL. */
const DATA = ['appInfo', 'defaults', 'hooks', 'recipients', 'retry'] as const;

/**
 * The door of options: each is read once and copied here, so that later changes have no effect, and a polluted
 * `Object.prototype` adds none. A value that is no object stays as it is, and is refused.
 */
function takenOptions(input: EmailPlatformOptions): EmailPlatformOptions {
  if (!isRecord(input) || isPromise(input)) return input;
  const data = DATA.map((name) => [name, deepCopy(memberOf(input, name))] as const);
  return Object.assign(isolated(input), Object.fromEntries(data));
}

/** Checks the options, adds those of the parent, reads the environment, fills in defaults. */
export const resolveOptions = (
  input: EmailPlatformOptions,
  runtime: Runtime = createRuntime(),
  parent?: ResolvedOptions,
): ClientConfig =>
  tried(
    () => {
      const own = takenOptions(input);
      refuse('', optionsRule(own));
      if (parent !== undefined && Object.hasOwn(own, 'token') && own.token === undefined)
        throw invalid('token', 'is undefined: leave it out to keep the token of this client');
      const ownHosts = hostsOf(own);
      // A domain replaces all hosts, also the hosts of the parent.
      const inherited = fieldOf(ownHosts, 'domain') === undefined ? parent?.hosts : {};
      const hosts = isolated({ ...inherited, ...ownHosts });
      const options = isolated(defined({ ...parent, ...defined(own), hosts, domain: undefined }));
      if (!parent) checkVariables(resolveLogging(options));
      const rules = resolveRecipients(own.recipients, parent?.recipientRules);
      return configOf(options, hooksOf(parent?.hooks, own.hooks), rules, runtime);
    },
    unreadable('', () => invalid('options', 'cannot be read')),
  );

/** The hosts in the options: `domain` is short for the domain of `hosts`. */
function hostsOf({ domain, hosts }: EmailPlatformOptions): Hosts | undefined {
  if (domain === undefined) return hosts;
  if (fieldOf(hosts, 'domain') !== undefined)
    throw invalid('domain', 'must be left out together with hosts.domain');
  return isolated({ ...hosts, domain });
}

const DEFAULTS = { auth: 'bearer', timeoutMs: 30_000, validateResponses: 'report' } as const;

function configOf(
  options: Defined<EmailPlatformOptions>,
  hooks: Hooks,
  recipientRules: readonly RecipientRules[],
  runtime: Runtime,
): ClientConfig {
  const hosts = resolveHosts(options);
  const token = resolveToken(options, hosts);
  // If a proxy adds the token, the proxy's own client throttles and retries: only one of the two sides may.
  const byProxy = token === undefined ? false : undefined;
  const context = resolveContext(options);
  const { throttle: limits = byProxy, retry = byProxy } = options;
  const throttle = resolveThrottle(limits, runtime, options.fetch);
  const defaults = resolveDefaults(options);
  const logging = resolveLogging(options);
  // Assigned, because V8 is slow with spreads of so many fields: they took half of the time of a new client.
  const resolved = Object.assign(options, context, logging, {
    hooks,
    token,
    hosts,
    defaults,
    recipientRules,
  } satisfies Partial<ClientConfig & ResolvedOptions>);
  const observers = resolveObservers(options, hooks, logging);
  const runtimeFetch = new RuntimeFetch(options.fetch, runtime);
  const config = Object.assign(isolated(DEFAULTS), resolved, observers, {
    tracing: openTracing(builtinModule('node:diagnostics_channel')),
    userAgent: runtimeFetch.setsUserAgent ? userAgent(options.appInfo) : undefined,
    throttle,
    runtimeFetch,
    retry: retryLimits(retry),
    guard: recipientRules.length > 0 ? createGuard(recipientRules) : undefined,
    context,
    key: { token, accountId: context.accountId },
    tokens: new Tokens(),
    mayFetch: mayFetch(options),
    runtime,
  } satisfies Partial<ClientConfig>);
  return Object.assign(config, { options: Object.assign(resolved, { throttle: throttle ?? false }) });
}

function userAgent({ name, version }: Partial<AppInfo> = {}): string {
  return `email-platform/${VERSION} ${name ?? ''}${version === undefined ? '' : `/${version}`}`.trim();
}
