import { ConfigurationError, TimeoutError } from '../core/errors.ts';
import type { Attempt } from '../call/attempt.ts';
import type { CallConfig } from '../call/config.ts';
import { Redaction } from './redact.ts';
import type { Next, Stage } from '../call/stage.ts';

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

/** Gets a token from the caller's function, which may take as long as a response, but no longer than the call. */
async function askFor(source: () => string | Promise<string>, { call }: Attempt): Promise<string> {
  const { timeoutMs, request, config } = call;
  const message = `${request.operation}: the token function did not return within ${timeoutMs} ms`;
  const asked = (async () => source())().catch((error: unknown) => {
    const cause = new Redaction(config.tokens).error(error);
    throw new ConfigurationError('the token function failed', { option: 'token', cause });
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
export function authStage({ token: source, tokens }: CallConfig): Stage {
  const sendWith = (token: string, attempt: Attempt, next: Next) => {
    tokens.add(token);
    attempt.token = token;
    return next(attempt);
  };
  return (attempt, next) => {
    if (attempt.call.request.signedUrl !== undefined || source === undefined) return next(attempt);
    // A fixed token was checked when the client was created.
    if (typeof source === 'string') return sendWith(source, attempt, next);
    return askFor(source, attempt).then((token) => sendWith(token, attempt, next));
  };
}
