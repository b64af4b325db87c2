import { InvalidRequestError } from '../core/errors.ts';
import { queryString } from '../core/query.ts';
import { isRepeatable, type HostName, type RequestOptions, type RequestSpec } from '../core/request.ts';
import { copyOfOptions, optionIssues } from '../core/request-options.ts';
import { accountOf, poolOf } from '../core/path.ts';
import type { ThrottleKey } from '../throttle/permit.ts';
import { missing } from '../core/variables.ts';
import { bodyOf } from './body.ts';
import type { PreparedRequest } from './call.ts';
import type { CallConfig } from './config.ts';

/** The base URL of a host; throws if it is not configured. */
export function baseOf(config: CallConfig, name: HostName): string {
  const base = config.hosts[name];
  if (base !== undefined) return base;
  throw missing(`hosts.${name}`);
}

/**
 * Checks a request and writes it out; throws everything that is wrong with it at once. What the caller changes in its
 * arguments from here on has no effect.
 */
export function prepareRequest(
  config: CallConfig,
  spec: RequestSpec<unknown>,
  options: RequestOptions,
): PreparedRequest {
  const { operation, method, host, path, result, schema, settle, whileWanted, signedUrl: signed } = spec;
  const issues = [...optionIssues(options, spec.optionsRule), ...(spec.check?.() ?? [])];
  if (issues.length > 0) throw new InvalidRequestError(issues, { operation });
  const base = signed?.startsWith('/') === false ? '' : baseOf(config, host);
  const signedUrl = signed && closedAddress(config, operation, base + signed);
  return {
    operation,
    method,
    host,
    path,
    isRepeatable: isRepeatable(spec),
    result,
    schema,
    settle,
    whileWanted,
    signedUrl,
    options: copyOfOptions(options),
    query: writtenQuery(spec),
    body: bodyOf(spec),
    pool: poolOf(host, path),
    key: keyOf(config, accountOf(path) ?? options.accountId),
  };
}

/** The query as text. Half of a surrogate pair cannot be encoded. */
function writtenQuery({ operation, query }: RequestSpec<unknown>): string {
  try {
    return queryString(query?.());
  } catch (cause) {
    const issue = { path: 'query', message: 'must be well-formed Unicode' };
    throw new InvalidRequestError([issue], { operation, cause });
  }
}

/** Whether a signed URL may be fetched: not over plain `http:`, by the same rule as for the hosts. */
export const mayFetch = ({ allowsHttpTo }: CallConfig, url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && allowsHttpTo(url));

function closedAddress(config: CallConfig, operation: string, address: string): string {
  if (mayFetch(config, new URL(address))) return address;
  throw new InvalidRequestError([{ path: 'messageOrUrl', message: 'must start with https://' }], {
    operation,
  });
}

/** The client's own key, or one for another account. */
function keyOf({ key }: CallConfig, accountId: number | undefined): ThrottleKey {
  return accountId === undefined || accountId === key.accountId ? key : { token: key.token, accountId };
}
