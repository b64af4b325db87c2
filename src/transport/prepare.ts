import { refuseCall, wrongArgument } from '../core/errors.ts';
import { queryString } from '../core/query.ts';
import { isRepeatable, type RequestOptions, type RequestSpec } from '../core/request.ts';
import { copyOfOptions, optionIssues } from '../core/request-options.ts';
import { accountOf, poolOf } from '../core/path.ts';
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
  const { operation, method, host, path, result, secrets, schema, settle, whileWanted, signedUrl } = spec;
  refuseCall(operation, [...optionIssues(options, spec.optionsRule), ...(spec.check?.() ?? [])]);
  const query = queryString(spec.query?.());
  const { key } = config;
  const accountId = accountOf(path) ?? options.accountId ?? key.accountId;
  return {
    operation,
    method,
    host,
    path,
    result,
    secrets,
    schema,
    settle,
    whileWanted,
    signedUrl,
    isRepeatable: isRepeatable(spec),
    options: copyOfOptions(options),
    address: addressOf(config, spec, query),
    query,
    body: bodyOf(spec),
    pool: poolOf(host, path),
    key: accountId === key.accountId ? key : { token: key.token, accountId },
  };
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
