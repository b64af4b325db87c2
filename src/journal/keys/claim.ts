/**
 * What a key does while its email is sent, in the order of events: a permit, the claim, the look-up where it is unknown
 * whether the email was sent before, the lease, the request, and the record of what became of it.
 */
import { EmailPlatformError } from '../../core/error-base.ts';
import { TimeoutError } from '../../core/errors.ts';
import type { Claim, ClaimingAttempt } from '../../core/request.ts';
import type { Runtime } from '../../core/runtime.ts';
import { stopwatch } from '../../core/steady-time.ts';
import { ignoringFailure } from '../../core/tried.ts';
import type { Finding, KeyedRequest } from '../../resources/sending/keys/types.ts';
import type { KeyClaims, Known, Unknown } from './claims.ts';

/** A claim holds for the timeout of the attempt and this much longer: the time it may take until the attempt is sent. */
const LEASE_MARGIN_MS = 60_000;

/** The positions of the emails that are sent now. */
const positionsOf = (findings: readonly Finding[]): number[] =>
  findings.flatMap(({ kind }, position) => (kind === 'claimed' ? [position] : []));

/** The claim of the keys of one request, over all its attempts. */
export class RequestClaim<T> implements Claim<T> {
  readonly #request: KeyedRequest<T>;
  readonly #claims: KeyClaims;
  readonly #runtime: Runtime;
  #takes = 0;

  constructor(request: KeyedRequest<T>, claims: KeyClaims, runtime: Runtime) {
    this.#request = request;
    this.#claims = claims;
    this.#runtime = runtime;
  }

  async send(attempt: ClaimingAttempt<T>): Promise<T> {
    for (;;) {
      const end = await attempt.withPermit(() => this.#sendClaimed(attempt));
      if (end.kind === 'ended') return end.result;
      // Of many emails, each outcome says so by itself.
      if (this.#request.isOne) attempt.mayHaveActed();
      // No permit is held meanwhile: a log that is slow would keep other calls from being sent.
      await attempt.wait(end.lookUp(attempt.options()), 'finding out what became of its key');
    }
  }

  async #sendClaimed(
    attempt: ClaimingAttempt<T>,
  ): Promise<{ readonly kind: 'ended'; readonly result: T } | Unknown> {
    const { timeoutMs, operation } = attempt;
    const elapsedMs = stopwatch(this.#runtime);
    const taking = this.#take(timeoutMs + LEASE_MARGIN_MS);
    const taken = await attempt.wait(taking, 'claiming its key', timeoutMs).catch((error: unknown) => {
      // Nobody sends what is claimed from now on.
      ignoringFailure(async () => {
        const late = await taking;
        if (late.kind === 'known') await this.#record(attempt, () => late.failed('none'));
      });
      throw error;
    });
    if (taken.kind === 'unknown') return taken;
    const positions = positionsOf(taken.findings);
    if (positions.length === 0) return { kind: 'ended', result: this.#request.unsent(taken.findings) };
    const checkLease = () => {
      if (elapsedMs() <= LEASE_MARGIN_MS) return;
      const message = `${operation} was not sent: it took too long between its claim and its request`;
      throw new TimeoutError(message, { kind: 'attempt', effect: 'none' });
    };
    try {
      const result = await attempt.send(this.#request.bodyOf(positions), checkLease);
      await this.#record(attempt, () => taken.answered(this.#request.endsOf(result, positions)));
      return { kind: 'ended', result };
    } catch (error) {
      const effect = error instanceof EmailPlatformError ? error.effect : 'unknown';
      await this.#record(attempt, () => taken.failed(effect));
      throw error;
    }
  }

  async #take(leaseMs: number): Promise<Known | Unknown> {
    const take = (this.#takes += 1);
    const taken = await this.#claims.take(leaseMs);
    // One that took too long is given up; the next one may have ended before it.
    if (take === this.#takes) this.#request.found(taken.findings);
    return taken;
  }

  /** A failure, or taking too long, does not change the outcome of the call: the claim stays, and is settled later. */
  async #record(attempt: ClaimingAttempt<T>, record: () => Promise<void>): Promise<void> {
    let stopTimer = (): void => undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        stopTimer = this.#runtime.setTimer(attempt.timeoutMs, () => {
          reject(new Error('It took longer than the timeout.'));
        });
      });
      await Promise.race([record(), late]);
    } catch (cause) {
      attempt.warn('what became of its key could not be recorded', cause);
    } finally {
      stopTimer();
    }
  }
}
