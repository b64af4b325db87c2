/** Checks and serializes a request before the call starts. */
import { EmailPlatformError } from '../core/error-base.ts';
import { refuseCall, wrongArgument, type Issue } from '../core/errors.ts';
import { bytesOf, joined, withoutContents } from '../core/json.ts';
import { HALF_PAIR, halfPairIn } from '../core/json.ts';
import { queryString } from '../core/query.ts';
import { isRepeatable, type RequestOptions, type RequestSpec, type WrittenMails } from '../core/request.ts';
import { copyOfOptions, optionIssues } from '../core/request-options.ts';
import { accountOf, poolOf } from '../core/path.ts';
import { invalid } from '../core/rules.ts';
import { missing } from '../core/variables.ts';
import type { Call } from './call.ts';
import type { PreparedRequest } from './prepared-request.ts';
import type { CallConfig } from './config.ts';
import { retryLimits } from './retry-policy.ts';

/**
 * Checks and serializes a request; throws all problems at once. Later changes to the caller's arguments have no effect.
 */
export function prepared(
  config: CallConfig,
  spec: RequestSpec<unknown>,
  options: RequestOptions,
): PreparedRequest {
  const { operation, method, host, path, decoder, settle, signed, mails } = spec;
  const signedUrl = signed?.url;
  const wrongOptions = optionIssues(options, spec.optionsRule);
  const issues = wrongOptions.length > 0 ? wrongOptions : accountIssues(options, path);
  refuseCall(operation, [...issues, ...(spec.check?.() ?? [])]);
  const query = queryString(spec.query?.());
  const { key } = config;
  const address = addressOf(config, spec, query);
  const carriesToken =
    signedUrl === undefined || (signed?.maybeApiPath === true && isApiPath(config, address));
  if (carriesToken && signedUrl !== undefined) refuseLeakingRedirects(config);
  const accountId = accountOf(path) ?? key.accountId;
  const { timeoutMs = config.timeoutMs, deadlineMs = config.deadlineMs ?? Infinity } = options;
  return {
    operation,
    method,
    host,
    path,
    decoder,
    settle,
    keyed: mails?.written?.keyed,
    whileWanted: mails?.whileWanted,
    onAsked: mails?.onAsked,
    signedUrl,
    carriesToken,
    isRepeatable: isRepeatable(spec),
    options: copyOfOptions(options),
    timeoutMs,
    deadlineMs,
    retry: retryLimits(options.retry, config.retry),
    address,
    query,
    body: bodyOf(config, spec),
    pool: poolOf(method, host, path),
    key: accountId === key.accountId ? key : { token: key.token, accountId },
  };
}

/**
 * Requires that the path contains the account of the call's options. Otherwise the call would act on the token's own
 * account: on the wrong tenant.
 */
function accountIssues({ accountId }: RequestOptions, path: string): Issue[] {
  const inPath = accountOf(path);
  if (accountId === undefined || accountId === inPath) return [];
  const message =
    inPath === undefined
      ? "must be left out: the path names no account, so this call acts on the token's account"
      : 'must be the account in the path, or left out';
  return [{ path: 'options.accountId', message }];
}

function addressOf(config: CallConfig, spec: RequestSpec<unknown>, query: string): string {
  const { operation, host, path, signed: { url } = { url: path + query } } = spec;
  const base = config.hosts[host];
  if (url.startsWith('/')) {
    if (base === undefined) throw missing(`hosts.${host}`);
    return base + url;
  }
  if (config.mayFetch(new URL(url))) return url;
  throw wrongArgument(operation, 'messageOrUrl', 'must start with https://');
}

/**
 * Whether an address is in the API, in the form that is fetched: with resolved dot segments, and without encoded
 * slashes, which a server might resolve.
 */
function isApiPath({ hosts }: CallConfig, address: string): boolean {
  const { href, pathname } = new URL(address);
  return href.startsWith(`${hosts.api}/api/`) && !/%(2f|5c)/i.test(pathname);
}

/** Refuses a download whose redirect would take the token along. */
function refuseLeakingRedirects({ token, auth, runtimeFetch }: CallConfig): void {
  if (!runtimeFetch.follows || token === undefined || auth !== 'api-token') return;
  const rule =
    "must be 'bearer' to download this in a browser, where a redirect would take an Api-Token along";
  throw invalid('auth', rule);
}

type BodySpec = Pick<RequestSpec<unknown>, 'operation' | 'method' | 'body' | 'reaches' | 'mails'>;

function fitting<B extends string | Blob>(body: B, { operation, mails }: BodySpec): B {
  const maxBodyBytes = mails?.maxBodyBytes;
  if (maxBodyBytes === undefined || bytesOf([body]) <= maxBodyBytes) return body;
  throw wrongArgument(operation, 'body', `must be at most ${maxBodyBytes} bytes as JSON`);
}

function unwritable(cause: unknown, { operation }: BodySpec): EmailPlatformError {
  if (cause instanceof EmailPlatformError) return cause;
  return wrongArgument(operation, 'body', 'must be serializable as JSON', cause);
}

/**
 * The body as JSON; undefined if there is none. The guard reads the serialized recipients, so that only those can be
 * sent.
 */
export function bodyOf({ guard }: Pick<CallConfig, 'guard'>, spec: BodySpec): string | Blob | undefined {
  try {
    const parts = spec.mails?.written?.parts;
    if (parts) {
      guard?.verify(spec, withoutContents(parts));
      return fitting(joined(parts), spec);
    }
    const body = spec.body?.();
    const json = body === undefined ? undefined : JSON.stringify(body);
    // Only half of a pair is written so. `JSON.parse` gives what `toJSON` made of the values.
    const half = json !== undefined && /\\ud[89a-f]/.test(json) ? halfPairIn(JSON.parse(json)) : undefined;
    if (half !== undefined) throw wrongArgument(spec.operation, half, HALF_PAIR);
    const passed = guard ? guard.pass(spec, json) : json;
    return passed === undefined ? undefined : fitting(passed, spec);
  } catch (cause) {
    throw unwritable(cause, spec);
  }
}

/** Adds attachments and a key to a request's body. The end of the call ends the reading of attachments. */
export async function completed(
  call: Call,
  spec: BodySpec,
  request: PreparedRequest,
  complete: (signal: AbortSignal) => Promise<WrittenMails<unknown>>,
): Promise<PreparedRequest> {
  call.check();
  const controller = new AbortController();
  try {
    const written = complete(controller.signal).then(({ parts, keyed }) => {
      return { ...request, body: fitting(joined(parts), spec), keyed };
    });
    return await call.wait(written, 'reading its attachments');
  } catch (cause) {
    controller.abort(cause);
    throw unwritable(cause, spec);
  }
}
