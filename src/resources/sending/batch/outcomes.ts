import type { EmailPlatformError } from '../../../core/error-base.ts';
import {
  ConnectionError,
  IdempotencyError,
  RecipientRefusedError,
  ResponseFormatError,
} from '../../../core/errors.ts';
import { fieldOf } from '../../../core/record.ts';
import type { BatchInput, BatchOutcome } from './types.ts';
import type { BatchResult } from '../types.ts';

/** The operation named in a run's errors. */
export const OPERATION = 'sending.batchAll';

/**
 * The outcomes of the emails of a call that succeeded, matched by position. If their number differs from the number of
 * emails, the match is unknown, and none is used.
 */
export function answered(inputs: readonly BatchInput[], { responses }: BatchResult): BatchOutcome[] {
  let unread: ResponseFormatError | undefined;
  const isMatching = responses.length === inputs.length;
  return inputs.map((input, position): BatchOutcome => {
    const response = isMatching ? responses[position] : undefined;
    const success = fieldOf(response, 'success');
    if (response && success === true)
      return { ...input, status: 'accepted', message_ids: response.message_ids };
    if (success === false)
      return { ...input, status: 'rejected', errors: (fieldOf(response, 'errors') ?? []) as string[] };
    unread ??= new ResponseFormatError(
      `${OPERATION}: the response does not give the outcome of every email`,
      { effect: 'unknown' },
    );
    return { ...input, status: 'unknown', error: unread };
  });
}

/** The outcomes of the emails of a call that failed or was not made. */
export const failed = (inputs: readonly BatchInput[], error: EmailPlatformError): BatchOutcome[] =>
  inputs.map((input) => {
    if (error instanceof RecipientRefusedError)
      return { ...input, status: 'rejected', errors: [error.message], error };
    if (error instanceof IdempotencyError && error.code === 'key_reused')
      return { ...input, status: 'key_reused', message_ids: [...error.previous.message_ids], error };
    return { ...input, status: error.effect === 'none' ? 'not_sent' : 'unknown', error };
  });

/** The error in the outcomes of a call that a framework ended. Its loop throws what the framework threw. */
export const steeredAway = (): ConnectionError =>
  new ConnectionError(`${OPERATION}: the framework ended the call`, { phase: 'unknown', effect: 'unknown' });
