/**
 * The permits of calls that look for themselves, in a runtime that isolates requests: it cancels a request without a
 * word. So a permit of which nothing was heard for long ends as that of a cancelled request.
 */
import type { Permit } from './permit.ts';
import type { Ending } from './permit-window.ts';

const SILENCE_MS = 5_000;

export class SilentPermits {
  /** The time at which a silent permit ends, and its ending. */
  readonly #ends = new Map<Permit, { readonly at: number; readonly ending: Ending }>();

  /** The call of a permit has looked, so it runs. With a permit that is out, it looks no more. */
  heard(permit: Permit, now: number): void {
    const isOut = permit.state === 'out';
    const at = now + SILENCE_MS + (isOut ? permit.timeoutMs : 0);
    this.#ends.set(permit, { at, ending: isOut ? 'abandoned' : 'neverSent' });
  }

  /** Ends the permits of cancelled requests. */
  endSilent(now: number): void {
    for (const [permit, { at, ending }] of this.#ends) {
      if (at < now) permit.end(ending);
      if (permit.state === 'ended') this.#ends.delete(permit);
    }
  }
}
