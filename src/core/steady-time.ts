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

/**
 * Makes a clock that never goes back of one that may. When the clock it reads steps back, it goes on by adding the
 * difference. Once that clock reads as much as before the step, it is taken for the first clock again: its time counts
 * from where it was left, without the time in between. So nothing that waits becomes due early when faked time ends. One
 * case loses time: faked time that lasts longer than the process has run is then taken for real time.
 */
export function steady(read: () => number): () => number {
  let last = read();
  let offset = 0;
  /** The steps back, the lowest reading last: a clock that reaches that reading is back, and the step is dropped. */
  const left: Left[] = [];
  return () => {
    const raw = read();
    const time = last + offset;
    if (raw < last) {
      left.push({ raw: last, offset });
      offset = time - raw;
    }
    for (let back = left.at(-1); back && raw >= back.raw; back = left.at(-1)) {
      offset = Math.max(back.offset, time - raw);
      left.pop();
    }
    last = raw;
    return raw + offset;
  };
}

/** The clocks that a duration is measured with. */
interface Clocks {
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** Milliseconds since 1970, by a clock that can be set. */
  readonly wallNow: () => number;
}

/** Starts to measure: the function returned says how many milliseconds have passed, by the clock that has gone further. */
export function stopwatch({ now, wallNow }: Clocks): () => number {
  const startedAt = now();
  const wallStartedAt = wallNow();
  return () => Math.max(now() - startedAt, wallNow() - wallStartedAt);
}
