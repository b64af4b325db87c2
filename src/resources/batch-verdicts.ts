import { AuthenticationError, PermissionDeniedError } from '../core/api-errors.ts';
import type { EmailPlatformError } from '../core/error-base.ts';
import { ConfigurationError, InvalidRequestError, ResponseFormatError } from '../core/errors.ts';
import type { BatchInput, BatchOutcome } from '../models/batch-outcomes.ts';
import type { BatchResult } from '../models/sending.ts';
import { OPERATION } from './batch-inputs.ts';

/** What became of the mails of a call that was answered, each by its place. */
export function answered(
  inputs: readonly BatchInput[],
  { success, responses, errors = [] }: BatchResult,
): BatchOutcome[] {
  let unread: ResponseFormatError | undefined;
  return inputs.map((input, place): BatchOutcome => {
    const response = responses[place];
    if (response?.success) return { ...input, status: 'accepted', message_ids: response.message_ids };
    if (response) return { ...input, status: 'rejected', errors: response.errors ?? [] };
    if (!success) return { ...input, status: 'rejected', errors };
    unread ??= new ResponseFormatError(
      `${OPERATION}: a call was accepted, but its answer does not tell of every mail`,
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
export const cannotBegin = (error: EmailPlatformError): boolean =>
  error instanceof ConfigurationError || error instanceof InvalidRequestError;

/** Whether a failure awaits every further call as well. */
export const awaitsAll = (error: EmailPlatformError): boolean =>
  cannotBegin(error) || error instanceof AuthenticationError || error instanceof PermissionDeniedError;
