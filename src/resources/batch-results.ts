import type { EmailPlatformError } from '../core/error-base.ts';
import { ConfigurationError, InvalidRequestError, ResponseFormatError } from '../core/errors.ts';
import type { BatchInput, BatchOutcome } from '../models/batch-outcomes.ts';
import type { BatchResponse, BatchResult } from '../models/sending.ts';
import { OPERATION } from './batch-inputs.ts';

/** The response, in which any field may be missing. */
interface RawBatchResult extends Partial<Omit<BatchResult, 'responses'>> {
  readonly responses: readonly Partial<BatchResponse>[];
}

/** The outcomes of the emails of a call that succeeded, matched by position. */
export function answered(
  inputs: readonly BatchInput[],
  { success, responses, errors = [] }: RawBatchResult,
): BatchOutcome[] {
  let unread: ResponseFormatError | undefined;
  return inputs.map((input, position): BatchOutcome => {
    const response = responses[position];
    // By the fields that are there: an email sent again because one was missing might arrive twice.
    const { success: isAccepted, message_ids = [], errors: reasons = [] } = response ?? {};
    if (isAccepted === true || message_ids.length > 0) return { ...input, status: 'accepted', message_ids };
    if (isAccepted === false || reasons.length > 0) return { ...input, status: 'rejected', errors: reasons };
    if (!response && success === false) return { ...input, status: 'rejected', errors };
    unread ??= new ResponseFormatError(
      `${OPERATION}: a call was accepted, but its response does not give the outcome of every email`,
      { effect: 'unknown' },
    );
    return { ...input, status: 'unknown', error: unread };
  });
}

/** The outcomes of the emails of a call that was not made. */
export const notSent = (inputs: readonly BatchInput[], error: EmailPlatformError): BatchOutcome[] =>
  inputs.map((input) => ({ ...input, status: 'not_sent', error }));

/** The outcomes of the emails of a call that failed. */
export const failed = (inputs: readonly BatchInput[], error: EmailPlatformError): BatchOutcome[] =>
  error.effect === 'none'
    ? notSent(inputs, error)
    : inputs.map((input) => ({ ...input, status: 'unknown', error }));

/** Whether an error is due to the caller's options or arguments. */
export const isCallerMistake = (error: EmailPlatformError): boolean =>
  error instanceof ConfigurationError || error instanceof InvalidRequestError;
