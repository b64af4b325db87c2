/** The date of the machine, as the emulator follows it: a date that is set back takes nothing back. */
import { monotonicMs } from '../../../../kit/monotonic.ts';

/** Two clocks that move together differ by this at most, in milliseconds: a date has whole milliseconds. */
const SAME_STEP_MS = 2;

/** The shortest window of a published limit. */
const WINDOW_MS = 10_000;

/**
 * A clock that follows `Date`. When a test or the machine sets the date back, it goes on from the time that it showed,
 * until the date is set to a later one. `performance.now()` tells a date that is set from time that passes, which moves
 * both. Before `start`, the clock follows the date back too: a state that nobody has used has no time of its own.
 *
 * `onLost` is called when the time that has passed is not known: after each step back, and where a date that a test has
 * frozen has stood still for a window.
 */
export function steadyDate(onLost: () => void): { readonly now: () => number; readonly start: () => void } {
  let isStarted = false;
  let shown = 0;
  let offset = 0;
  let last = { date: 0, passed: 0 };
  let stillSince = 0;
  const now = () => {
    const date = Date.now();
    if (!isStarted) return date;
    const passed = monotonicMs();
    // Where timers begin to be faked, `performance.now()` begins again at 0.
    const isSetForward = passed >= last.passed && date - last.date - (passed - last.passed) > SAME_STEP_MS;
    const isBack = date + offset < shown;
    if (isBack || (isSetForward && date >= shown)) offset = Math.max(0, shown - date);
    if (date !== last.date || passed < stillSince) stillSince = passed;
    const isFrozen = passed - stillSince >= WINDOW_MS;
    if (isFrozen) stillSince = passed;
    if (isBack || isFrozen) onLost();
    last = { date, passed };
    return (shown = date + offset);
  };
  return {
    now,
    start: () => {
      isStarted = true;
    },
  };
}
