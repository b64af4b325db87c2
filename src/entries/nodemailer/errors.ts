/**
 * Errors as programs with nodemailer expect them: this package's errors with nodemailer's `code`, and with
 * `responseCode`, a reply code of SMTP. Many programs decide by it whether to send again.
 */
import { EmailPlatformError, type ErrorCode } from '../../core/error-base.ts';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  PermissionDeniedError,
  RateLimitError,
} from '../../core/api-errors.ts';
import {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  RecipientRefusedError,
  ResponseFormatError,
  TimeoutError,
  wrongArgument,
} from '../../core/errors.ts';
import { isRecord } from '../../core/record.ts';

/** The fields that an error of this package gets for programs written for nodemailer. */
export interface NodemailerErrorFields {
  /** nodemailer's code, such as `EAUTH`. It replaces this package's `code`, which is in `platformCode`. */
  readonly code: string;
  /** This package's code, such as `rate_limited`. */
  readonly platformCode: ErrorCode;
  /**
   * A reply code of SMTP: 4xx if sending again is safe and may succeed, 5xx if it would fail again. Absent without a
   * response, and if the email may have been sent: `effect` tells more then.
   */
  readonly responseCode?: number;
  /** Always `API`: no SMTP command failed. */
  readonly command: 'API';
}

const PHASES = { dns: 'EDNS', connect: 'ECONNECTION', tls: 'ETLS', exchange: 'ESOCKET', unknown: 'ESOCKET' };

/** True if all issues of a message are about its addresses. */
const isAboutAddresses = ({ issues }: InvalidRequestError) =>
  issues.every(({ path }) => /^(from|to|cc|bcc|envelope)\b/.test(path));

function codesOf(error: EmailPlatformError): readonly [code: string, responseCode?: number] {
  if (error instanceof ConfigurationError) return ['ECONFIG'];
  if (error instanceof AbortedError) return ['EABORT'];
  if (error instanceof TimeoutError) return ['ETIMEDOUT'];
  if (error instanceof ConnectionError) return [PHASES[error.phase]];
  if (error instanceof ResponseFormatError) return ['EPROTOCOL'];
  if (error instanceof RecipientRefusedError) return ['EENVELOPE', 550];
  if (error instanceof InvalidRequestError) {
    const { cause } = error;
    if (isRecord(cause) && typeof cause.code === 'string') return [cause.code, 554];
    return [isAboutAddresses(error) ? 'EENVELOPE' : 'EMESSAGE', 554];
  }
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) return ['EAUTH', 535];
  if (error instanceof RateLimitError) return ['EMESSAGE', 421];
  if (error instanceof BadRequestError && error.reason === 'recipient') return ['EENVELOPE', 550];
  if (error instanceof ApiError && error.status === 413) return ['EMESSAGE', 552];
  return ['EMESSAGE', error.isRetryable ? 451 : 554];
}

/**
 * Adds nodemailer's fields to an error. An error of another class comes from nodemailer, which threw it while it read
 * the message.
 */
export function nodemailerError(thrown: unknown): EmailPlatformError & NodemailerErrorFields {
  const error =
    thrown instanceof EmailPlatformError
      ? thrown
      : wrongArgument('sendMail', 'message', 'cannot be read', thrown);
  const [code, responseCode] = codesOf(error);
  return Object.assign(error, {
    platformCode: error.code,
    code: code as ErrorCode,
    command: 'API' as const,
    ...(responseCode !== undefined && error.effect === 'none' && { responseCode }),
  });
}
