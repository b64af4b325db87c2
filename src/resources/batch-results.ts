import { AuthenticationError, PermissionDeniedError } from '../core/api-errors.ts';
import type { EmailPlatformError } from '../core/error-base.ts';
import { ConfigurationError, InvalidRequestError, ResponseFormatError } from '../core/errors.ts';
import type { BatchInput, BatchOutcome } from '../models/batch-outcomes.ts';
import type { BatchResponse, BatchResult } from '../models/sending.ts';
import { OPERATION } from './batch-inputs.ts';

/** The answer, in which the service may leave out anything. */
interface AsItCame extends Partial<Omit<BatchResult, 'responses'>> {
  readonly responses: readonly Partial<BatchResponse>[];
}

/** What became of the mails of a call that was answered, each by its place. */
export function answered(
  inputs: readonly BatchInput[],
  { success, responses, errors = [] }: AsItCame,
): BatchOutcome[] {
  let unread: ResponseFormatError | undefined;
  return inputs.map((input, place): BatchOutcome => {
    const response = responses[place];
    // By what is there: a mail sent again because a field was missing might come twice.
    const { success: isAccepted, message_ids = [], errors: reasons = [] } = response ?? {};
    if (isAccepted === true || message_ids.length > 0) return { ...input, status: 'accepted', message_ids };
    if (isAccepted === false || reasons.length > 0) return { ...input, status: 'rejected', errors: reasons };
    if (!response && success === false) return { ...input, status: 'rejected', errors };
    unread ??= new ResponseFormatError(
      `${OPERATION}: a call was accepted, but its response does not say what became of every mail`,
      { effect: 'unknown' },
    );
    return { ...input, status: 'unknown', error: unread };
  });
}

/** What became of the mails of a call that was not made. */
export const notSent = (inputs: readonly BatchInput[], error: EmailPlatformError): BatchOutcome[] =>
  inputs.map((input) => ({ ...input, status: 'not_sent', error }));

/** What became of the mails of a call that failed. */
export const failed = (inputs: readonly BatchInput[], error: EmailPlatformError): BatchOutcome[] =>
  error.effect === 'none'
    ? notSent(inputs, error)
    : inputs.map((input) => ({ ...input, status: 'unknown', error }));

/** Whether a failure lies in how the calls are made. */
export const isCallerMistake = (error: EmailPlatformError): boolean =>
  error instanceof ConfigurationError || error instanceof InvalidRequestError;

/** Whether a failure awaits every further call as well. */
export const failsEveryCall = (error: EmailPlatformError): boolean =>
  isCallerMistake(error) || error instanceof AuthenticationError || error instanceof PermissionDeniedError;
