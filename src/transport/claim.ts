/** Sends an attempt within a claim. The claim decides what it covers and records. */
import { EmailPlatformError } from '../core/error-base.ts';
import type { Claim, ClaimingAttempt } from '../core/request.ts';
import { steersFramework } from '../core/steering.ts';
import type { Attempt } from './attempt.ts';
import { summaryOfError } from './call-summary.ts';
import { withPermit } from './permit.ts';
import type { Outcome, ResponseHead } from './response.ts';

/** Sends an attempt within its claim, which takes its permit. */
export async function withClaim(
  attempt: Attempt,
  claim: Claim<unknown>,
  send: (attempt: Attempt) => Promise<Outcome>,
): Promise<Outcome> {
  const { call } = attempt;
  const { timeoutMs, operation, options } = attempt.request;
  // A result that the claim knew before has no response.
  let response: ResponseHead = { status: 0, headers: new Headers() };
  const claiming: ClaimingAttempt<unknown> = {
    operation,
    timeoutMs,
    options() {
      // The options of the call that apply to every request.
      const { signal, timeoutMs, retry, priority, meta } = options;
      return call.within({ signal, timeoutMs, retry, priority, meta });
    },
    withPermit: (run) => withPermit(attempt, run),
    wait: (promise, doing, ms) => call.wait(promise, doing, ms),
    async send(body, check) {
      attempt.claimed(body, check);
      const outcome = await send(attempt);
      response = outcome.response;
      return outcome.result;
    },
    mayHaveActed: () => call.actedBefore(),
    warn: (message, cause) => call.config.warn?.(attempt.event(), message, { error: named(cause) }),
  };
  const result = await claim.send(claiming).catch((error: unknown) => {
    if (steersFramework(error)) call.steered(error);
    throw error;
  });
  return { response, result };
}

/** Names an error of another library without its message, which may quote the record. */
function named(cause: unknown) {
  if (cause instanceof EmailPlatformError) return summaryOfError(cause);
  const { name, code } = Object(cause) as { readonly name?: unknown; readonly code?: unknown };
  return { name, code };
}
