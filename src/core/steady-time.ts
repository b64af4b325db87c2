/**
 * Measures time for the client with two clocks, because each of them fails in its own way.
 *
 * The monotonic clock (`performance.now()`) decides when a permit is returned, because it cannot be set. But test tools
 * that fake timers replace it too: it then starts again at 0, and later jumps back to its real time. {@link steady}
 * turns it into a clock that never goes back, and that such a jump does not move forward.
 *
 * On most systems it also stops while a machine is suspended. A permit then returns late, which is harmless. A deadline
 * would pass too late: the client would send an email hours after its deadline. So {@link stopwatch}, which measures
 * deadlines, also reads the wall clock and takes the larger difference. If the wall clock is set forward, a call may
 * end early; if it is set back, nothing changes.
 */
/** The last reading of a clock before it stepped back, and its offset at that time. */
interface Left {
  readonly raw: number;
  readonly offset: number;
}

/** The two clocks. */
export interface Clocks {
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number;
  /** Milliseconds since 1970, of a clock that can be set. */
  readonly wallNow: () => number;
}

/** Two clocks that are faked together move by the same time; the tolerance covers the date's whole milliseconds. */
const SAME_STEP_MS = 2;

/**
 * Turns a monotonic clock that may be replaced into a clock that never goes back. After a step back, it continues by
 * adding the difference. When the clock reads at least its value before the step, and has not moved like the wall
 * clock, the first clock is back: its time continues from its last reading, without the time in between. So the end of
 * faked time makes no wait end early. If only the monotonic clock was faked, faked time beyond the age of the process
 * also counts as the return of the first clock, and the time since the last reading is lost.
 */
export function steady({ now, wallNow }: Clocks): () => number {
  let last = now();
  let lastWall = 0;
  let offset = 0;
  /** The steps back, the oldest first: a replaced clock is back when it reads at least its value before the step. */
  let left: readonly Left[] = [];
  /**
   * The step that was last considered undone. If the cause was a faked clock with a larger time, the first clock is
   * still to come.
   */
  let doubted: readonly Left[] = [];
  return () => {
    const raw = now();
    if (raw >= last && left.length === 0) return (last = raw) + offset;
    const wall = wallNow();
    const time = last + offset;
    const passedAlike = Math.abs(raw - last - (wall - lastWall)) < SAME_STEP_MS;
    if (raw < last) {
      left = [...left, { raw: last, offset }, ...doubted.filter((each) => raw < each.raw)];
      doubted = [];
      offset = time - raw;
    }
    // A clock that was faked again may be ahead of the first clock, which still comes back.
    const back = left.find((each) => raw >= each.raw);
    if (back && !passedAlike) {
      offset = Math.max(back.offset, time - raw);
      left = left.filter((each) => raw < each.raw);
      doubted = [back];
    }
    last = raw;
    lastWall = wall;
    return raw + offset;
  };
}

/** A real timer fires no earlier than this before its time, in milliseconds. */
const EARLY_MS = 5;

/**
 * A {@link steady} clock that timers move forward: the mock timers of node:test move timers and the date, and leave
 * `performance.now()` alone. `timerStarts` returns a function to call when the timer fires.
 */
export function steadyTimers({ now, wallNow }: Clocks) {
  const monotonic = steady({ now, wallNow });
  let fakedMs = 0;
  const timerStarts = (ms: number) => {
    const startedAt = monotonic() + fakedMs;
    const wallStartedAt = wallNow();
    return () => {
      const passedMs = monotonic() + fakedMs - startedAt;
      const wallPassedMs = wallNow() - wallStartedAt;
      // Where both clocks stand still, only the timer tells.
      const elapsedMs = passedMs === 0 && wallPassedMs === 0 ? ms : wallPassedMs;
      if (passedMs < ms - EARLY_MS && elapsedMs >= ms - EARLY_MS) fakedMs += elapsedMs - passedMs;
    };
  };
  return { now: () => monotonic() + fakedMs, timerStarts };
}

/** Starts to measure. The returned function gives the elapsed milliseconds, by the clock with the larger difference. */
export function stopwatch({ now, wallNow }: Clocks): () => number {
  const startedAt = now();
  const wallStartedAt = wallNow();
  return () => Math.max(now() - startedAt, wallNow() - wallStartedAt);
}
