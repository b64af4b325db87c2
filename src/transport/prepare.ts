import { refuseCall, wrongArgument, type Issue } from '../core/errors.ts';
import { queryString } from '../core/query.ts';
import { isRepeatable, type RequestOptions, type RequestSpec } from '../core/request.ts';
import { copyOfOptions, optionIssues } from '../core/request-options.ts';
import { accountOf, poolOf } from '../core/path.ts';
import { invalid } from '../core/rules.ts';
import { missing } from '../core/variables.ts';
import { bodyOf } from './body.ts';
import type { PreparedRequest } from './call.ts';
import type { CallConfig } from './config.ts';

/**
 * Checks a request and writes it out; throws everything that is wrong with it at once. What the caller changes in its
 * arguments from here on has no effect.
 */
export function prepared(
  config: CallConfig,
  spec: RequestSpec<unknown>,
  options: RequestOptions,
): PreparedRequest {
  const { operation, method, host, path, result, schema, secrets, settle, whileWanted, signedUrl } = spec;
  const wrongOptions = optionIssues(options, spec.optionsRule);
  const issues = wrongOptions.length > 0 ? wrongOptions : accountIssues(options, path);
  refuseCall(operation, [...issues, ...(spec.check?.() ?? [])]);
  const query = queryString(spec.query?.());
  const { key } = config;
  const address = addressOf(config, spec, query);
  const isOwn = signedUrl === undefined || (spec.maybeApiPath === true && isApiPath(config, address));
  if (isOwn && signedUrl !== undefined) refuseLeakingRedirects(config);
  const accountId = accountOf(path) ?? key.accountId;
  return {
    operation,
    method,
    host,
    path,
    result,
    schema,
    secrets,
    settle,
    whileWanted,
    signedUrl,
    isOwn,
    isRepeatable: isRepeatable(spec),
    options: copyOfOptions(options),
    address,
    query,
    body: bodyOf(spec),
    pool: poolOf(host, path),
    key: accountId === key.accountId ? key : { token: key.token, accountId },
  };
}

/**
 * An account that a call names has to be in its path. Otherwise the call would act on the token's own account, and what
 * was meant for one tenant would be done for another.
 */
function accountIssues({ accountId }: RequestOptions, path: string): Issue[] {
  const inPath = accountOf(path);
  if (accountId === undefined || accountId === inPath) return [];
  const message =
    inPath === undefined
      ? 'must be left out: the path names no account, so this call acts on that of the token'
      : 'must be the account in the path, or left out';
  return [{ path: 'options.accountId', message }];
}

function addressOf(config: CallConfig, spec: RequestSpec<unknown>, query: string): string {
  const { operation, host, path, signedUrl = path + query } = spec;
  const base = config.hosts[host];
  if (signedUrl.startsWith('/')) {
    if (base === undefined) throw missing(`hosts.${host}`);
    return base + signedUrl;
  }
  if (config.mayFetch(new URL(signedUrl))) return signedUrl;
  throw wrongArgument(operation, 'messageOrUrl', 'must start with https://');
}

/**
 * Whether an address is one of the API's: as it will be fetched, with dot segments resolved, and without any that a server
 * might resolve later.
 */
function isApiPath({ hosts }: CallConfig, address: string): boolean {
  const { href, pathname } = new URL(address);
  return href.startsWith(`${hosts.api}/api/`) && !/%(2f|5c)/i.test(pathname);
}

/** In a browser, redirects cannot be followed without the header. Of `Authorization` it takes care itself. */
function refuseLeakingRedirects({ token, auth, fetchFollows }: CallConfig): void {
  if (!fetchFollows || token === undefined || auth !== 'api-token') return;
  const rule =
    "must be 'bearer' to download this in a browser, where a redirect would take an Api-Token along";
  throw invalid('auth', rule);
}
