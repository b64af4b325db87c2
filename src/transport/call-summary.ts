/** What traces and logs say of a call: nothing that the caller or the service has written, such as an address. */
import type { Effect, EmailPlatformError, ErrorCode } from '../core/error-base.ts';
import type { CallEvent } from './hooks.ts';

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
}

export function summaryOfError(error: EmailPlatformError): ErrorSummary {
  const { name, code, effect } = error;
  const { status } = error as { readonly status?: number };
  return Object.freeze({ name, code, effect, status });
}

/** The method called. `client.request` calls its operations by their paths, which may have an address in them. */
export const methodCalled = ({ operation }: Pick<CallEvent, 'operation'>): string =>
  operation.includes('/') ? 'request' : operation;
