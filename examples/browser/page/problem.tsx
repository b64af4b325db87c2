import {
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from 'email-platform';
import { useEffect, useState } from 'preact/hooks';

/** The message about a failure, for a visitor. */
export function wordsFor(error: unknown): string {
  if (error instanceof RateLimitError) return 'Too many requests at the moment.';
  if (error instanceof ConnectionError)
    return navigator.onLine ? 'The server cannot be reached.' : 'You are offline.';
  if (error instanceof TimeoutError) return 'The server takes too long to answer.';
  if (error instanceof NotFoundError) return 'This does not exist any more.';
  if (error instanceof PermissionDeniedError) return 'You are not allowed to do this.';
  if (error instanceof ValidationError || error instanceof InvalidRequestError)
    return 'Some fields need another value.';
  if (error instanceof ServerError) return 'The email service does not answer.';
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** A countdown of the seconds until a request may be repeated. */
function useCountdown(error: unknown): number {
  const waitMs = error instanceof RateLimitError ? (error.retryAfterMs ?? 1_000) : 0;
  const [left, setLeft] = useState(Math.ceil(waitMs / 1_000));
  useEffect(() => {
    const end = Date.now() + waitMs;
    setLeft(Math.ceil(waitMs / 1_000));
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1_000))), 250);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}

/** A failure, and a button to try again after the countdown. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const left = useCountdown(error);
  return (
    <div class="problem" role="alert">
      <p>
        {wordsFor(error)}
        {left > 0 && <span aria-hidden="true"> Try again in {left} s.</span>}
      </p>
      {retry && (
        <button type="button" onClick={retry} disabled={left > 0}>
          Try again
        </button>
      )}
    </div>
  );
}
