/** The summary of a call for traces and logs. It contains no text of the caller or the service, such as an address. */
import type { Effect, EmailPlatformError, ErrorCode } from '../core/error-base.ts';
import type { BadRequestReason } from '../core/api-errors.ts';
import { isRecord } from '../core/record.ts';
import type { TokenSearch } from '../core/request.ts';
import type { CallEvent } from './hooks.ts';

/** An error without its message, which may quote the service. The caller catches the error itself. */
export interface ErrorSummary {
  /** The name of its class; `AbortError` for a call that was aborted. */
  readonly name: string;
  /** The machine-readable code of the error. */
  readonly code: ErrorCode;
  /** Whether the service may have acted on the call: `none` (it did not) or `unknown` (it may have). */
  readonly effect: Effect;
  /** The HTTP status, if the service answered with an error. */
  readonly status: number | undefined;
  /** The reason for the rejection of an email, if it is known. */
  readonly reason?: BadRequestReason | undefined;
}

export function summaryOfError(error: EmailPlatformError): ErrorSummary {
  const { name, code, effect } = error;
  const { status, reason } = error as Partial<ErrorSummary>;
  return Object.freeze({ name, code, effect, status, ...(reason !== undefined && { reason }) });
}

/** The characters of the service's ids. An address or a sentence does not match. */
const ID = /^[\w-]{1,100}$/;

/** The ids of the sent emails in the result of a call; undefined if there are none, or if one contains a token. */
export function messageIdsOf(result: unknown, tokens: Pick<TokenSearch, 'areIn'>): string[] | undefined {
  if (!isRecord(result)) return undefined;
  const { message_ids, responses } = result;
  const parts: readonly unknown[] = Array.isArray(responses) ? responses : [{ message_ids }];
  const ids = parts.flatMap((part) => (isRecord(part) ? part.message_ids : undefined));
  const found = ids.filter((id): id is string => typeof id === 'string' && ID.test(id));
  return found.length > 0 && !tokens.areIn(found.join(' ')) ? found : undefined;
}

/** The number of rejected emails in the result of a batch; undefined if it is 0. */
export function rejectedIn(result: unknown): number | undefined {
  const { responses } = Object(result) as { readonly responses?: unknown };
  if (!Array.isArray(responses)) return undefined;
  const rejected = responses.filter((one) => isRecord(one) && one.success === false).length;
  return rejected > 0 ? rejected : undefined;
}

/** The name of the method. `client.request` names its operation by the path, which may contain an address. */
export const methodCalled = ({ operation }: Pick<CallEvent, 'operation'>): string =>
  operation.includes('/') ? 'request' : operation;
