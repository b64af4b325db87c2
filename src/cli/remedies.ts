/** The remedies for errors of requests. */
import { ApiError } from '../core/api-errors.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import { InvalidRequestError } from '../core/errors.ts';
import { answerText, ELSEWHERE, isForeign } from '../entries/diagnose/foreign.ts';
import { Failure, messageOf } from './failure.ts';

const DOCTOR = 'email-platform doctor finds the cause';

/** The remedy for a response that is not the service's; undefined for any other. */
export const foreignRemedy = (error: unknown): string | undefined =>
  error instanceof ApiError && isForeign(error)
    ? `the host ${answerText(error)}, unlike the service: ${ELSEWHERE}; ${DOCTOR}`
    : undefined;

/** Adds the remedy to an error of a request: the doctor looks at the connection, the token and the account. */
export function withRemedy(error: unknown): unknown {
  if (!(error instanceof EmailPlatformError) || error instanceof InvalidRequestError) return error;
  return new Failure(`${messageOf(error)}\n→ ${foreignRemedy(error) ?? DOCTOR}`);
}
