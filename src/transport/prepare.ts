/** Checks and serializes a request before its first attempt. */
import { EmailPlatformError } from '../core/error-base.ts';
import { refuseCall, wrongArgument, type Issue } from '../core/errors.ts';
import { bytesOf, HALF_PAIR, halfPairIn, joined, withoutContents } from '../core/json.ts';
import { queryString } from '../core/query.ts';
import { isRepeatable, type RequestOptions, type RequestSpec, type WrittenMails } from '../core/request.ts';
import { copyOfOptions, optionIssues } from '../core/request-options.ts';
import { accountOf, poolOf } from '../core/path.ts';
import { addressOf, carriesToken } from './address.ts';
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
  const { operation, method, host, path, decoder, ifLost, signed, mails } = spec;
  const wrongOptions = optionIssues(options, spec.optionsRule);
  const issues = wrongOptions.length > 0 ? wrongOptions : accountIssues(options, path);
  refuseCall(operation, [...issues, ...(spec.check?.() ?? [])]);
  const query = queryString(spec.query?.());
  const { key } = config;
  const address = addressOf(config, spec, query);
  const accountId = accountOf(path) ?? key.accountId;
  const { timeoutMs = config.timeoutMs, deadlineMs = config.deadlineMs ?? Infinity } = options;
  const { body, keyed } = contentOf(config, spec);
  return {
    operation,
    method,
    host,
    path,
    decoder,
    ifLost,
    whileWanted: mails?.whileWanted,
    onAsked: mails?.onAsked,
    signedUrl: signed?.url,
    carriesToken: carriesToken(config, spec, address),
    isRepeatable: isRepeatable(spec),
    options: copyOfOptions(options),
    timeoutMs,
    deadlineMs,
    retry: retryLimits(options.retry, config.retry),
    address,
    query,
    body,
    keyed,
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

/** The serialized content of a request: its body, undefined if there is none, and those of its emails that have keys. */
type Content = Pick<PreparedRequest, 'body' | 'keyed'>;

const contentOfMails = ({ parts, keyed }: WrittenMails<unknown>, spec: BodySpec): Content => ({
  body: fitting(joined(parts), spec),
  keyed,
});

/** The guard reads the serialized recipients, so that only those can be sent. */
function contentOf({ guard }: CallConfig, spec: BodySpec): Content {
  try {
    const written = spec.mails?.written;
    if (written) {
      guard?.verify(spec, withoutContents(written.parts));
      return contentOfMails(written, spec);
    }
    const body = spec.body?.();
    const json = body === undefined ? undefined : JSON.stringify(body);
    // Only half of a pair is written so. `JSON.parse` gives what `toJSON` made of the values.
    const half = json !== undefined && /\\ud[89a-f]/.test(json) ? halfPairIn(JSON.parse(json)) : undefined;
    if (half !== undefined) throw wrongArgument(spec.operation, half, HALF_PAIR);
    const passed = guard ? guard.pass(spec, json) : json;
    return { body: passed === undefined ? undefined : fitting(passed, spec), keyed: undefined };
  } catch (cause) {
    throw unwritable(cause, spec);
  }
}

/** Adds attachments to a request's body, and hashes an email with a key. The end of the call ends the reading of attachments. */
export async function completed(
  call: Call,
  spec: BodySpec,
  request: PreparedRequest,
  complete: (signal: AbortSignal) => Promise<WrittenMails<unknown>>,
): Promise<PreparedRequest> {
  call.check();
  const controller = new AbortController();
  try {
    const written = await call.wait(complete(controller.signal), 'reading its attachments');
    return { ...request, ...contentOfMails(written, spec) };
  } catch (cause) {
    controller.abort(cause);
    throw unwritable(cause, spec);
  }
}
