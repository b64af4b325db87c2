/** An attempt's claim: it is taken once the attempt has its permit, and its end is recorded whatever happens. */
import { EmailPlatformError } from '../core/error-base.ts';
import { TimeoutError } from '../core/errors.ts';
import type { Claim, ClaimEnd, ClaimTaken, ClaimUnsettled, RequestOptions } from '../core/request.ts';
import { stopwatch } from '../core/steady-time.ts';
import type { Attempt } from './attempt.ts';
import { summaryOfError } from './call-summary.ts';
import { withPermit } from './permit.ts';
import type { Outcome } from './response.ts';

/** A claim holds for the timeout of the attempt and this much longer: the time it may take until the attempt is sent. */
const LEASE_MARGIN_MS = 60_000;

type Send = (attempt: Attempt) => Promise<Outcome>;

/** Sends an attempt once it has its permit and its claim. What has to be found out first is, while it holds no permit. */
export async function withClaim(attempt: Attempt, claim: Claim<unknown>, send: Send): Promise<Outcome> {
  const { call } = attempt;
  for (;;) {
    const end = await withPermit(attempt, () => sendClaimed(attempt, claim, send));
    if (end.kind === 'ended') return end.outcome;
    if (end.mayHaveActed) call.mayHaveActed = true;
    await call.wait(end.settle(optionsOf(attempt)), 'finding out what became of its key');
    call.check();
  }
}

/** Those of the call that apply to every request. */
function optionsOf({ call, request }: Attempt): RequestOptions {
  const { signal, timeoutMs, retry, priority, meta } = request.options;
  return call.within({ signal, timeoutMs, retry, priority, meta });
}

async function sendClaimed(
  attempt: Attempt,
  claim: Claim<unknown>,
  send: Send,
): Promise<{ readonly kind: 'ended'; readonly outcome: Outcome } | ClaimUnsettled> {
  const { call, request } = attempt;
  const { timeoutMs, operation } = request;
  const leaseMs = timeoutMs + LEASE_MARGIN_MS;
  const elapsedMs = stopwatch(call.config.runtime);
  const taking = claim.take(leaseMs);
  const taken = await call.wait(taking, 'claiming its key', timeoutMs).catch((error: unknown) => {
    // Nobody sends what is claimed from now on.
    taking.then(
      (late) =>
        late.kind === 'taken' ? record(attempt, late, { kind: 'failed', effect: 'none' }) : undefined,
      ignore,
    );
    throw error;
  });
  if (taken.kind === 'unsettled') return taken;
  if (taken.kind === 'answered') {
    const response = { status: 0, headers: new Headers() };
    return { kind: 'ended', outcome: { response, result: taken.result } };
  }
  if (taken.body !== undefined) attempt.request = { ...request, body: taken.body };
  attempt.checkLease = () => {
    if (elapsedMs() <= LEASE_MARGIN_MS) return;
    const message = `${operation} was not sent: it took too long between its claim and its request`;
    throw new TimeoutError(message, { kind: 'attempt', effect: 'none' });
  };
  try {
    const outcome = await send(attempt);
    await record(attempt, taken, { kind: 'answered', result: outcome.result });
    return { kind: 'ended', outcome };
  } catch (error) {
    const effect = error instanceof EmailPlatformError ? error.effect : 'unknown';
    await record(attempt, taken, { kind: 'failed', effect });
    throw error;
  }
}

/** A failure, or taking too long, does not change the outcome of the call: the claim stays, and is settled later. */
async function record(attempt: Attempt, taken: ClaimTaken<unknown>, end: ClaimEnd<unknown>): Promise<void> {
  const { config } = attempt.call;
  let stopTimer: () => void = ignore;
  try {
    const late = new Promise<never>((_, reject) => {
      stopTimer = config.runtime.setTimer(attempt.request.timeoutMs, () => {
        reject(new Error('It took longer than the timeout.'));
      });
    });
    await Promise.race([taken.record(end), late]);
  } catch (cause) {
    const error = cause instanceof EmailPlatformError ? summaryOfError(cause) : nameOf(cause);
    config.warn?.(attempt.event(), 'what became of its key could not be recorded', { error });
  } finally {
    stopTimer();
  }
}

/** Without the message, which may quote what was to be written. */
const nameOf = (cause: unknown) => {
  const { name, code } = Object(cause) as { readonly name?: unknown; readonly code?: unknown };
  return { name, code };
};

const ignore = () => undefined;
