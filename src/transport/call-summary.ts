/** What traces and logs say of a call: nothing that the caller or the service has written, such as an address. */
import type { Effect, EmailPlatformError, ErrorCode } from '../core/error-base.ts';
import type { BadRequestReason } from '../core/api-errors.ts';
import { isRecord } from '../core/record.ts';
import type { CallEvent } from './hooks.ts';
import type { Tokens } from './redaction.ts';

/** What an error is, without its message, which may quote the service. The error itself is thrown to the caller. */
export interface ErrorSummary {
  /** The name of its class; `AbortError` for a call that was aborted. */
  readonly name: string;
  /** The machine-readable code of the error. */
  readonly code: ErrorCode;
  /** Whether the service may have acted on the call: `none` (it did not) or `unknown` (it may have). */
  readonly effect: Effect;
  /** The HTTP status, if the service answered with an error. */
  readonly status: number | undefined;
  /** The reason why an email was rejected, where it is known. */
  readonly reason?: BadRequestReason | undefined;
}

export function summaryOfError(error: EmailPlatformError): ErrorSummary {
  const { name, code, effect } = error;
  const { status, reason } = error as Partial<ErrorSummary>;
  return Object.freeze({ name, code, effect, status, ...(reason !== undefined && { reason }) });
}

/** An id as the service makes them; an address, or a sentence, is none. */
const ID = /^[\w-]{1,100}$/;

/** The ids of the emails that a call has sent, as its result has them; undefined where it has none, or a token. */
export function messageIdsOf(result: unknown, tokens: Pick<Tokens, 'areIn'>): string[] | undefined {
  if (!isRecord(result)) return undefined;
  const { message_ids, responses } = result;
  const parts: readonly unknown[] = Array.isArray(responses) ? responses : [{ message_ids }];
  const ids = parts.flatMap((part) => (isRecord(part) ? part.message_ids : undefined));
  const found = ids.filter((id): id is string => typeof id === 'string' && ID.test(id));
  return found.length > 0 && !tokens.areIn(found.join(' ')) ? found : undefined;
}

/** How many emails of a batch the service rejected, as its result says; undefined where it rejected none. */
export function rejectedIn(result: unknown): number | undefined {
  const { responses } = Object(result) as { readonly responses?: unknown };
  if (!Array.isArray(responses)) return undefined;
  const rejected = responses.filter((one) => isRecord(one) && one.success === false).length;
  return rejected > 0 ? rejected : undefined;
}

/** The method called. `client.request` calls its operations by their paths, which may have an address in them. */
export const methodCalled = ({ operation }: Pick<CallEvent, 'operation'>): string =>
  operation.includes('/') ? 'request' : operation;
