import {
  type EmailPlatform,
  AbortedError,
  ApiError,
  ConfigurationError,
  ConnectionError,
  EmailPlatformError,
  InvalidRequestError,
  LifecycleError,
  NotFoundError,
  RateLimitError,
  RecipientRefusedError,
  ResponseFormatError,
  ServerError,
  TimeoutError,
  UnprocessableError,
  ValidationError,
} from 'email-platform';
import type { Same } from './same.ts';

export function byClass(error: unknown): unknown {
  // @ts-expect-error not known to be an error yet
  const early: unknown = error.code;
  if (error instanceof ValidationError) {
    const narrowed: Same<typeof error, ValidationError> = true;
    const fields: Readonly<Record<string, string[]>> = error.fieldErrors;
    return [narrowed, fields, error.status, early];
  }
  if (error instanceof LifecycleError) {
    const reasons: Same<typeof error.reasons, readonly string[]> = true;
    // @ts-expect-error a LifecycleError has reasons, but no fieldErrors
    return [reasons, error.fieldErrors];
  }
  if (error instanceof RateLimitError) {
    const resetAt: Date | undefined = error.resetAt;
    // @ts-expect-error it may be absent
    const certain: Date = error.resetAt;
    return [resetAt, certain];
  }
  if (error instanceof TimeoutError) {
    const kind: Same<typeof error.kind, 'attempt' | 'deadline'> = true;
    return kind;
  }
  if (error instanceof ConnectionError) {
    const phase: Same<typeof error.phase, EmailPlatform.ConnectionPhase> = true;
    return phase;
  }
  if (error instanceof InvalidRequestError) {
    const issues: Same<typeof error.issues, readonly EmailPlatform.Issue[]> = true;
    // @ts-expect-error nothing was sent, so there is no status
    return [issues, error.status];
  }
  if (error instanceof RecipientRefusedError) {
    const places: Same<typeof error.places, readonly string[]> = true;
    // @ts-expect-error it holds no addresses
    return [places, error.count.toFixed(), error.recipients];
  }
  if (error instanceof EmailPlatformError) {
    const effect: Same<typeof error.effect, EmailPlatform.Effect> = true;
    const attempts: number | undefined = error.request?.attempts;
    // @ts-expect-error the request may be absent
    return [effect, attempts, error.request.attempts];
  }
  return undefined;
}

export function bySubclass(error: unknown): unknown {
  if (error instanceof ValidationError) return error.fieldErrors;
  if (error instanceof LifecycleError) return error.reasons;
  if (error instanceof RateLimitError) return error.retryAfterMs;
  if (error instanceof ApiError) {
    const narrowed: Same<typeof error, ApiError> = true;
    // @ts-expect-error only a ValidationError has fieldErrors
    return [narrowed, error.fieldErrors];
  }
  // @ts-expect-error only an ApiError has a status
  return error instanceof EmailPlatformError ? error.status : undefined;
}

/** Every class extends the one it is documented to extend. */
export const tree = (
  errors: [
    ValidationError & LifecycleError,
    NotFoundError,
    ServerError,
    ConfigurationError,
    AbortedError,
    ResponseFormatError,
  ],
): [UnprocessableError, ApiError, ApiError, EmailPlatformError, Error, EmailPlatformError] => errors;

export function readOnly(error: ApiError): void {
  // @ts-expect-error an error's fields are read-only
  error.status = 200;
  // @ts-expect-error so are the items of a list
  error.messages.push('more');
}

/** The fields of an error are typed where it is made: a misspelt one would be lost silently. */
export const misspelt = [
  // @ts-expect-error the field is called `effect`
  () => new ConnectionError('m', { phase: 'dns', effects: 'none' }),
  // @ts-expect-error the field is called `kind`
  () => new TimeoutError('m', { kinds: 'attempt', effect: 'none' }),
  // @ts-expect-error the field is called `isRetryable`
  () => new TimeoutError('m', { kind: 'attempt', effect: 'none', retryable: true }),
  // @ts-expect-error the field is called `issues`
  () => new ResponseFormatError('m', { effect: 'unknown', issue: [] }),
  // @ts-expect-error the field is called `messages`
  () => new ApiError('m', { status: 400, headers: new Headers(), body: '', message: [] }),
  // @ts-expect-error the field is called `retryAfterMs`
  () => new ServerError('m', { status: 503, headers: new Headers(), body: '', messages: [], retryAfter: 1 }),
  // @ts-expect-error the field is called `resetAt`
  () => new RateLimitError('m', { status: 429, headers: new Headers(), body: '', messages: [], resetsAt: 1 }),
  // @ts-expect-error the field is called `fieldErrors`
  () => new ValidationError('m', { status: 422, headers: new Headers(), body: '', messages: [], fields: {} }),
];
