import { ConfigurationError, InvalidRequestError, type Issue } from '../core/errors.ts';
import { expandPath } from '../core/path.ts';
import { queryString } from '../core/query.ts';
import type { Execute, HostName, RequestOptions, RequestSpec } from '../core/request.ts';
import type { CallScope } from './call-scope.ts';
import type { TransportConfig } from './config.ts';
import { accountOf, poolOf } from './pools.ts';
import { optionIssues } from './request-options.ts';
import type { Call } from './stage.ts';

const HOST_VARIABLES: Readonly<Record<HostName, string>> = {
  api: 'EMAIL_PLATFORM_API_URL',
  send: 'EMAIL_PLATFORM_SEND_URL',
  bulk: 'EMAIL_PLATFORM_BULK_URL',
  sandbox: 'EMAIL_PLATFORM_SANDBOX_URL',
};

function hostOf(config: TransportConfig, name: HostName): string {
  const base = config.hosts[name];
  if (base !== undefined) return base;
  throw new ConfigurationError(
    `hosts.${name} is needed: pass it to the client, or set ${HOST_VARIABLES[name]}`,
    {
      option: `hosts.${name}`,
    },
  );
}

/** Runs a step that only malformed input can break, and says so in our words. */
function wellFormed<T>(operation: string, path: string, message: string, step: () => T): T {
  try {
    return step();
  } catch (cause) {
    if (cause instanceof InvalidRequestError) throw cause;
    throw new InvalidRequestError([{ path, message }], { operation, cause });
  }
}

/** Throws everything that is wrong with a request and its options, at once. */
export function checkRequest(spec: RequestSpec<unknown>, options: RequestOptions): void {
  const issues: Issue[] = [...optionIssues(options), ...(spec.check?.() ?? [])];
  if (issues.length > 0) throw new InvalidRequestError(issues, { operation: spec.operation });
}

/** Makes a call of a checked request: what the caller changes in its arguments from here on makes no difference. */
export function prepareCall(
  config: TransportConfig,
  spec: RequestSpec<unknown>,
  options: RequestOptions,
  scope: CallScope,
  execute: Execute,
): Call {
  const { operation } = spec;
  const path = wellFormed(operation, 'path', 'must be well-formed Unicode', () =>
    expandPath(spec.path, spec.pathParams),
  );
  const query = wellFormed(operation, 'query', 'must be well-formed Unicode', () => queryString(spec.query));
  const body =
    spec.body === undefined
      ? undefined
      : wellFormed(operation, 'body', 'must be possible to write as JSON', () => JSON.stringify(spec.body));
  return {
    spec,
    path,
    url: hostOf(config, spec.host) + path + query,
    body,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(config.userAgent !== undefined && { 'user-agent': config.userAgent }),
      ...options.headers,
    },
    accountId: accountOf(path) ?? options.accountId ?? config.context.accountId,
    pool: poolOf(spec.host, path),
    priority: options.priority ?? 'normal',
    timeoutMs: options.timeoutMs ?? config.timeoutMs,
    retry: mergedRetry(config.retry, options.retry),
    scope,
    execute,
    attempts: 0,
    maybeActed: false,
  };
}

/** The call's own settings over the client's; settings given for a call switch retries on where the client has none. */
function mergedRetry(
  ofClient: TransportConfig['retry'],
  ofCall: RequestOptions['retry'],
): TransportConfig['retry'] {
  if (ofCall === undefined) return ofClient;
  if (ofCall === false) return false;
  const base = ofClient === false ? DEFAULT_RETRY : ofClient;
  return { maxRetries: ofCall.maxRetries ?? base.maxRetries, maxWaitMs: ofCall.maxWaitMs ?? base.maxWaitMs };
}

/** Enough for a restart of the service, and for one window of the slowest published limit. */
export const DEFAULT_RETRY = { maxRetries: 3, maxWaitMs: 90_000 } as const;
