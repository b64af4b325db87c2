/**
 * Sends an attempt whose emails have keys, in the order of events: permit, claim, check of the lease, request, and record
 * of the outcome. If the store does not give a key because an earlier outcome is unknown, it returns the permit, searches
 * the log, and begins again with a permit.
 */
import type { DecidedKeys, Decision, KeyedMails, RequestKeys, UnsettledKeys } from '../core/request.ts';
import { EmailPlatformError } from '../core/error-base.ts';
import { TimeoutError } from '../core/errors.ts';
import { stopwatch } from '../core/steady-time.ts';
import { ignoringFailure } from '../core/tried.ts';
import type { Attempt } from './attempt.ts';
import { summaryOfError } from './call-summary.ts';
import { withPermit } from './permit.ts';
import type { Outcome } from './response.ts';

/** A lease lasts for the timeout of the attempt plus this time, which covers the delay between claim and request. */
const LEASE_MARGIN_MS = 60_000;

/** Claims the keys of an attempt, sends it, and records its outcome. */
export async function withKeys(
  attempt: Attempt,
  keyed: KeyedMails<unknown>,
  send: (attempt: Attempt) => Promise<Outcome>,
): Promise<Outcome> {
  const { call } = attempt;
  // The options of the call that apply to every request.
  const { signal, timeoutMs, retry, priority, meta } = attempt.request.options;
  try {
    for (;;) {
      const end = await withPermit(attempt, () => sendClaimed(attempt, keyed, send));
      if (end.kind === 'ended') return end.outcome;
      // With several emails, each outcome has its own effect.
      if (keyed.isOne) call.actedBefore();
      // Searches without a permit: a slow log must not delay other calls.
      const lookingUp = end.lookUp(call.within({ signal, timeoutMs, retry, priority, meta }));
      await call.wait(lookingUp, 'looking up its key in the email log');
    }
  } catch (error) {
    call.caught(error);
    throw error;
  }
}

/** The end of an attempt that needs no search of the log. */
interface Ended {
  readonly kind: 'ended';
  readonly outcome: Outcome;
}

/** Positions of the emails whose keys this attempt claimed. */
const positionsOf = (decisions: readonly Decision[]): number[] =>
  decisions.flatMap(({ kind }, position) => (kind === 'claimed' ? [position] : []));

async function sendClaimed(
  attempt: Attempt,
  keyed: KeyedMails<unknown>,
  send: (attempt: Attempt) => Promise<Outcome>,
): Promise<Ended | UnsettledKeys> {
  const { call, request } = attempt;
  const { timeoutMs, operation } = request;
  const { runtime } = call.config;
  const elapsedMs = stopwatch(runtime);
  const decided = await claimInTime(attempt, keyed.keys);
  keyed.decided?.(decided.decisions);
  if (decided.kind === 'unsettled') return decided;
  const positions = positionsOf(decided.decisions);
  // A result that was known before has no response.
  if (positions.length === 0) {
    const response = { status: 0, headers: new Headers() };
    return { kind: 'ended', outcome: { response, result: keyed.unsent(decided.decisions) } };
  }
  const checkLease = () => {
    if (elapsedMs() <= LEASE_MARGIN_MS) return;
    const message = `${operation} was not sent: it took too long between its claim and its request`;
    throw new TimeoutError(message, { kind: 'attempt', effect: 'none' });
  };
  const sentMs = stopwatch(runtime);
  /**
   * Waits for the record as long as the attempt may take. An abort or the deadline ends only the wait: until the record
   * ends, the key is in flight. The outcome of the call is known, and does not change.
   */
  const record = async (recording: () => Promise<void>) => {
    const leftMs = Math.max(0, timeoutMs - sentMs());
    const recorded = call.recording(recordedBy(attempt, recording));
    await call.wait(recorded, 'recording its outcome', leftMs).catch(() => undefined);
  };
  try {
    attempt.leased(keyed.bodyOf(positions), checkLease);
    const outcome = await send(attempt);
    await record(() => decided.answered(keyed.outcomesOf(outcome.result, positions)));
    return { kind: 'ended', outcome };
  } catch (error) {
    await record(() => decided.failed(error instanceof EmailPlatformError ? error.effect : 'unknown'));
    throw error;
  }
}

/** Claims the keys, after the record of the previous attempt. */
async function claimInTime(attempt: Attempt, keys: RequestKeys): Promise<DecidedKeys | UnsettledKeys> {
  const { call, request } = attempt;
  const { timeoutMs } = request;
  const claiming = call.recorded.then(() => keys.claim(timeoutMs + LEASE_MARGIN_MS));
  return call.wait(claiming, 'claiming its key', timeoutMs).catch((error: unknown) => {
    // No attempt sends these emails any more, so a late claim is released.
    ignoringFailure(async () => {
      const decided = await claiming;
      if (decided.kind === 'decided') await recordedBy(attempt, () => decided.failed('none'));
    });
    throw error;
  });
}

/**
 * Records an outcome. Warns of a failure, and of a record that takes longer than the timeout of an attempt. Its timer
 * keeps the process alive for so long.
 */
async function recordedBy(attempt: Attempt, record: () => Promise<void>): Promise<void> {
  const { call, request } = attempt;
  const { runtime, warn } = call.config;
  let stopTimer = (): void => undefined;
  try {
    const overdue = new Promise<never>((_, reject) => {
      stopTimer = runtime.setTimer(request.timeoutMs, () => {
        reject(new Error('The journal took longer than the timeout of the attempt.'));
      });
    });
    await Promise.race([record(), overdue]);
  } catch (cause) {
    const message = 'the journal could not record the outcome of its key';
    warn?.(attempt.event(), message, { error: named(cause) });
  } finally {
    stopTimer();
  }
}

/** Names an error of another library without its message, which may quote the record. */
function named(cause: unknown) {
  if (cause instanceof EmailPlatformError) return summaryOfError(cause);
  const { name, code } = Object(cause) as { readonly name?: unknown; readonly code?: unknown };
  return { name, code };
}
