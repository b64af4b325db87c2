import { ConfigurationError } from '../core/errors.ts';
import { invalid } from '../core/rules.ts';
import type { Attempt } from './attempt.ts';
import { Redaction } from './redact.ts';
import type { Stage } from './stage.ts';

/**
 * Checks that a token can be sent: anything else would end the header, or be refused by `fetch` with an error that is
 * hard to place. The error never contains the token; `label` is the name of what the caller set.
 */
export function checkToken(token: unknown, label?: string): asserts token is string {
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token))
    throw invalid('token', 'must be a string of one or more visible ASCII characters, without spaces', label);
}

/** Gets a token from the caller's function, which may take as long as a response, but no longer than the call. */
async function askFor(source: () => string | Promise<string>, { call }: Attempt): Promise<string> {
  const asked = (async () => source())().catch((error: unknown) => {
    const cause = new Redaction(call.config.tokens).error(error);
    throw new ConfigurationError('the token function failed', { option: 'token', cause });
  });
  const token = await call.wait(asked, 'waiting for the token function', call.timeoutMs);
  checkToken(token);
  return token;
}

/** Adds the token. A token function is called for every attempt, so that a rotated token is used at once. */
export const authStage: Stage = (attempt, next) => {
  const { config, request } = attempt.call;
  const { token: source, tokens } = config;
  if (!request.isOwn || source === undefined) return next(attempt);
  const sendWith = (token: string) => {
    attempt.token = token;
    tokens.add(token);
    return next(attempt);
  };
  // A fixed token was checked when the client was created, and needs no turn of its own.
  return typeof source === 'string' ? sendWith(source) : askFor(source, attempt).then(sendWith);
};
