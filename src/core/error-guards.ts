import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  LifecycleError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UnprocessableError,
  ValidationError,
} from './api-errors.ts';
import { EmailPlatformError } from './error-base.ts';
import {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  JournalError,
  RecipientRefusedError,
  ResponseFormatError,
  TimeoutError,
} from './errors.ts';

/** Whether a value is an error of this package, of any class. */
export const isEmailPlatformError = (value: unknown): value is EmailPlatformError =>
  value instanceof EmailPlatformError;
/** Whether a value is a {@link ConfigurationError}. */
export const isConfigurationError = (value: unknown): value is ConfigurationError =>
  value instanceof ConfigurationError;
/** Whether a value is an {@link InvalidRequestError}. */
export const isInvalidRequestError = (value: unknown): value is InvalidRequestError =>
  value instanceof InvalidRequestError;
/** Whether a value is a {@link RecipientRefusedError}. */
export const isRecipientRefusedError = (value: unknown): value is RecipientRefusedError =>
  value instanceof RecipientRefusedError;
/** Whether a value is an {@link IdempotencyError}. */
export const isIdempotencyError = (value: unknown): value is IdempotencyError =>
  value instanceof IdempotencyError;
/** Whether a value is a {@link JournalError}. */
export const isJournalError = (value: unknown): value is JournalError => value instanceof JournalError;
/** Whether a value is a {@link ConnectionError}. */
export const isConnectionError = (value: unknown): value is ConnectionError =>
  value instanceof ConnectionError;
/** Whether a value is an {@link AbortedError}. */
export const isAbortedError = (value: unknown): value is AbortedError => value instanceof AbortedError;
/** Whether a value is a {@link TimeoutError}. */
export const isTimeoutError = (value: unknown): value is TimeoutError => value instanceof TimeoutError;
/** Whether a value is a {@link ResponseFormatError}. */
export const isResponseFormatError = (value: unknown): value is ResponseFormatError =>
  value instanceof ResponseFormatError;
/** Whether a value is an {@link ApiError}: any response with an error status. */
export const isApiError = (value: unknown): value is ApiError => value instanceof ApiError;
/** Whether a value is a {@link BadRequestError} (400). */
export const isBadRequestError = (value: unknown): value is BadRequestError =>
  value instanceof BadRequestError;
/** Whether a value is an {@link AuthenticationError} (401). */
export const isAuthenticationError = (value: unknown): value is AuthenticationError =>
  value instanceof AuthenticationError;
/** Whether a value is a {@link PermissionDeniedError} (403). */
export const isPermissionDeniedError = (value: unknown): value is PermissionDeniedError =>
  value instanceof PermissionDeniedError;
/** Whether a value is a {@link NotFoundError} (404). */
export const isNotFoundError = (value: unknown): value is NotFoundError => value instanceof NotFoundError;
/** Whether a value is an {@link UnprocessableError} (422); true for its subclasses as well. */
export const isUnprocessableError = (value: unknown): value is UnprocessableError =>
  value instanceof UnprocessableError;
/** Whether a value is a {@link ValidationError} (422, with messages by field). */
export const isValidationError = (value: unknown): value is ValidationError =>
  value instanceof ValidationError;
/** Whether a value is a {@link LifecycleError} (422 to an action). */
export const isLifecycleError = (value: unknown): value is LifecycleError => value instanceof LifecycleError;
/** Whether a value is a {@link RateLimitError} (429). */
export const isRateLimitError = (value: unknown): value is RateLimitError => value instanceof RateLimitError;
/** Whether a value is a {@link ServerError} (5xx). */
export const isServerError = (value: unknown): value is ServerError => value instanceof ServerError;
