/**
 * Sends the email of a key, in the order of events: permit, claim, search of the log if the outcome of an earlier
 * attempt is unknown, lease, request, and record of the outcome.
 */
import { EmailPlatformError } from '../../core/error-base.ts';
import { TimeoutError } from '../../core/errors.ts';
import type { Claim, ClaimingAttempt } from '../../core/request.ts';
import type { Runtime } from '../../core/runtime.ts';
import { stopwatch } from '../../core/steady-time.ts';
import { ignoringFailure } from '../../core/tried.ts';
import type { Decision, KeyedRequest } from '../../resources/sending/keys/types.ts';
import type { ClaimedKeys, Decisions, UnsettledKeys } from './decisions.ts';

/** A lease lasts for the timeout of the attempt plus this time, which covers the delay between claim and request. */
const LEASE_MARGIN_MS = 60_000;

/** Positions of the emails whose keys this attempt claimed. */
const positionsOf = (decisions: readonly Decision[]): number[] =>
  decisions.flatMap(({ kind }, position) => (kind === 'claimed' ? [position] : []));

/** The claim of the keys of one request, over all its attempts. */
export class KeyClaim<T> implements Claim<T> {
  readonly #request: KeyedRequest<T>;
  readonly #decisions: Decisions;
  readonly #runtime: Runtime;
  #takes = 0;
  /** The record of the previous attempt. It never fails. */
  #recording: Promise<void> = Promise.resolve();

  constructor(request: KeyedRequest<T>, decisions: Decisions, runtime: Runtime) {
    this.#request = request;
    this.#decisions = decisions;
    this.#runtime = runtime;
  }

  async send(attempt: ClaimingAttempt<T>): Promise<T> {
    for (;;) {
      const end = await attempt.withPermit(() => this.#sendClaimed(attempt));
      if (end.kind === 'ended') return end.result;
      // With several emails, each outcome has its own effect.
      if (this.#request.isOne) attempt.mayHaveActed();
      // Searches without a permit: a slow log must not delay other calls.
      await attempt.wait(end.lookUp(attempt.options()), 'looking up its key in the email log');
    }
  }

  async #sendClaimed(
    attempt: ClaimingAttempt<T>,
  ): Promise<{ readonly kind: 'ended'; readonly result: T } | UnsettledKeys> {
    const { timeoutMs, operation } = attempt;
    const elapsedMs = stopwatch(this.#runtime);
    const taking = this.#take(timeoutMs + LEASE_MARGIN_MS);
    const taken = await attempt.wait(taking, 'claiming its key', timeoutMs).catch((error: unknown) => {
      // No attempt sends these emails any more, so a late claim is released.
      ignoringFailure(async () => {
        const late = await taking;
        if (late.kind === 'claimed') await this.#recorded(attempt, () => late.failed('none'));
      });
      throw error;
    });
    if (taken.kind === 'unsettled') return taken;
    const positions = positionsOf(taken.decisions);
    if (positions.length === 0) return { kind: 'ended', result: this.#request.unsent(taken.decisions) };
    const checkLease = () => {
      if (elapsedMs() <= LEASE_MARGIN_MS) return;
      const message = `${operation} was not sent: it took too long between its claim and its request`;
      throw new TimeoutError(message, { kind: 'attempt', effect: 'none' });
    };
    const sentMs = stopwatch(this.#runtime);
    try {
      const result = await attempt.send(this.#request.bodyOf(positions), checkLease);
      await this.#record(attempt, sentMs(), () => taken.answered(this.#request.endsOf(result, positions)));
      return { kind: 'ended', result };
    } catch (error) {
      const effect = error instanceof EmailPlatformError ? error.effect : 'unknown';
      await this.#record(attempt, sentMs(), () => taken.failed(effect));
      throw error;
    }
  }

  async #take(leaseMs: number): Promise<ClaimedKeys | UnsettledKeys> {
    const take = (this.#takes += 1);
    await this.#recording;
    const taken = await this.#decisions.take(leaseMs);
    // Ignores a claim that timed out: a later claim may have ended before it.
    if (take === this.#takes) this.#request.decided(taken.decisions);
    return taken;
  }

  /**
   * Records the outcome, and waits for the record as long as the attempt may take. An abort or the deadline ends only the
   * wait: until the record ends, the key is in flight. The outcome of the call is known, and does not change.
   */
  async #record(attempt: ClaimingAttempt<T>, elapsedMs: number, record: () => Promise<void>): Promise<void> {
    this.#recording = this.#recorded(attempt, record);
    const leftMs = Math.max(0, attempt.timeoutMs - elapsedMs);
    await attempt.wait(this.#recording, 'recording its outcome', leftMs).catch(() => undefined);
  }

  /**
   * Records an outcome. Warns of a failure, and of a record that takes longer than the timeout of an attempt. Its timer
   * keeps the process alive for so long.
   */
  async #recorded(attempt: ClaimingAttempt<T>, record: () => Promise<void>): Promise<void> {
    let stopTimer = (): void => undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        stopTimer = this.#runtime.setTimer(attempt.timeoutMs, () => {
          reject(new Error('The journal took longer than the timeout of the attempt.'));
        });
      });
      await Promise.race([record(), late]);
    } catch (cause) {
      attempt.warn('the journal could not record the outcome of its key', cause);
    } finally {
      stopTimer();
    }
  }
}
