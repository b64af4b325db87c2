/**
 * How the client measures time, in one place, because two clocks fail in two ways.
 *
 * The monotonic clock (`performance.now()`) decides when a permit is returned. It is the right one for that, since nobody
 * can set it. But test tools that fake timers replace it too: it then starts again at 0, and later jumps back to what it
 * really is. {@link steady} makes a clock of it that never goes back, and that no such jump moves forward.
 *
 * It also stands still while a machine is suspended, on most systems. A permit then returns late, which does no harm. A
 * deadline would be kept too late: a mail would be sent hours after the caller gave up on it. So {@link stopwatch}, which
 * deadlines are measured with, asks the wall clock as well, and believes whichever has gone further. When the wall clock
 * is set forward, a call may end early; when it is set back, nothing changes.
 */
/** A reading of a clock before it stepped back, and the offset that was added to its readings then. */
interface Left {
  readonly raw: number;
  readonly offset: number;
}

/** The two clocks that time is measured with. */
export interface Clocks {
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number;
  /** Milliseconds since 1970, by a clock that can be set. */
  readonly wallNow: () => number;
}

/** Two clocks that are faked together move by as much, but for the date being in whole milliseconds. */
const SAME_STEP_MS = 2;

/**
 * Makes a clock that never goes back of a monotonic clock that may be replaced. When that steps back, the clock goes on by
 * adding the difference. Once it reads as much as before the step, and has not moved as the wall clock has, the first clock
 * is back: its time counts from where it was left, without the time in between. So nothing that waits becomes due early
 * when faked time ends. If the monotonic clock alone was faked, faked time that lasts longer than the process has run is
 * taken for the first clock as well, and what passed since the last reading is lost.
 */
export function steady({ now, wallNow }: Clocks): () => number {
  let last = now();
  let lastWall = 0;
  let offset = 0;
  /** The steps back, the oldest first: a clock that was replaced is back when it reads at least what it read then. */
  let left: readonly Left[] = [];
  /** The step that was last taken for undone. If it was a faked clock that had gone as far, the first is still to come. */
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
    // One that was faked anew may have gone further than the first clock, which comes back all the same.
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

/** Starts to measure: the function returned says how many milliseconds have passed, by the clock that has gone further. */
export function stopwatch({ now, wallNow }: Clocks): () => number {
  const startedAt = now();
  const wallStartedAt = wallNow();
  return () => Math.max(now() - startedAt, wallNow() - wallStartedAt);
}
