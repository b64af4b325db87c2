import type { RateWindow } from '../throttle/rate-window.ts';

/** A limit as one of several processes sees it. */
export interface SharedView {
  readonly now: number;
  /** Nothing goes before. */
  readonly opensAt: number;
  /** Permits there are. */
  readonly most: number;
  /** Permits out in all processes. */
  readonly used: number;
  /** This process's own. */
  readonly own: RateWindow;
}

/**
 * When the `nth` request from now can be expected to go out, if no other process wants more than it has. When the
 * permits of others come back is not known; our own, which came and went like theirs, stand for them.
 */
export function expectShared(nth: number, { now, opensAt, most, used, own }: SharedView): number {
  const wanting = nth - Math.max(0, most - used);
  if (wanting <= 0) return opensAt;
  const rounds = Math.floor((wanting - 1) / most) * own.perMs;
  const place = ((wanting - 1) % most) + 1;
  const ours = own.used(now);
  if (ours === 0) return opensAt + rounds + (place * own.perMs) / most;
  const nthOfOurs = Math.min(ours, Math.ceil((place * ours) / used));
  return (
    rounds +
    own.expect(nthOfOurs, now, {
      held: own.requests - ours,
      heldUntil: now + own.perMs,
      openAt: opensAt,
    })
  );
}
