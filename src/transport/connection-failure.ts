import { diagnose } from '../core/effect.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import { ConnectionError } from '../core/errors.ts';
import type { Redaction } from './redact.ts';

/** The error the caller gets for whatever `fetch`, or reading the body, threw; an error of ours is one already. */
export function failureOf(operation: string, error: unknown, redaction: Redaction): EmailPlatformError {
  if (error instanceof EmailPlatformError) return error;
  const { phase, effect, by } = diagnose(error);
  const cause = redaction.error(error);
  const why = by === 'proxy' ? ', because a proxy on the way refused it' : '';
  const what = effect === 'none' ? `no connection could be made${why}` : 'the request failed';
  let inner: Error & { readonly code?: string | number } = cause;
  while (inner.cause instanceof Error) inner = inner.cause;
  const detail = inner.message || (inner.code ?? 'no message');
  return new ConnectionError(`${operation}: ${what} (${detail})`, { phase, effect, cause });
}
