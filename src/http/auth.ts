import { ConfigurationError, TimeoutError } from '../core/errors.ts';
import type { Attempt } from '../call/attempt.ts';
import type { AuthScheme, TokenSource } from '../call/config.ts';
import { redactedCopy } from './redact.ts';
import type { Stage } from '../call/stage.ts';

/** Visible ASCII. Anything else would end the header, or be refused by `fetch` with an error that is hard to place. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * Checks that a token can be sent. The error says what is wrong, and never contains the token; `label` is the name of
 * what the caller set.
 */
export function checkToken(token: unknown, label = 'token'): asserts token is string {
  if (typeof token === 'string' && TOKEN.test(token)) return;
  const rule =
    typeof token !== 'string'
      ? `must be a string, not ${token === null ? 'null' : typeof token}`
      : token === ''
        ? 'must not be empty'
        : 'must be visible ASCII, without spaces or control characters';
  throw new ConfigurationError(`${label} ${rule}`, { option: 'token' });
}

const failed = (error: unknown) =>
  new ConfigurationError('the token function failed', {
    option: 'token',
    cause: redactedCopy(error, undefined),
  });

/** Gets a token from the caller's function, which may take as long as a response, but no longer than the call. */
async function askFor(source: () => string | Promise<string>, { call }: Attempt): Promise<string> {
  const { timeoutMs, request } = call;
  const message = `${request.operation}: the token function did not return within ${timeoutMs} ms`;
  const asked = (async () => source())().catch((error: unknown) => {
    throw failed(error);
  });
  const token = await call.wait(asked, {
    doing: 'waiting for the token function',
    timeoutMs,
    onTimeout: () => new TimeoutError(message, { kind: 'attempt', effect: 'none' }),
  });
  checkToken(token);
  return token;
}

/** Adds the token. A token function is called for every attempt, so that a rotated token is used at once. */
export function authStage(source: TokenSource | undefined, scheme: AuthScheme): Stage {
  const authFor = (token: string): Attempt['auth'] => ({
    header: scheme === 'bearer' ? { authorization: `Bearer ${token}` } : { 'api-token': token },
    secret: token,
  });
  // A fixed token was checked when the client was created.
  const known = typeof source === 'string' ? authFor(source) : undefined;
  return (attempt, next) => {
    if (attempt.call.request.signedUrl !== undefined || source === undefined) return next(attempt);
    if (typeof source === 'string') {
      attempt.auth = known;
      return next(attempt);
    }
    return askFor(source, attempt).then((token) => {
      attempt.auth = authFor(token);
      return next(attempt);
    });
  };
}
