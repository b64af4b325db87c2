/** The clocks of this process, which can be moved while those of the machine go on. */
const RealDate = Date;

/** The machine's time, in milliseconds since 1970. */
export const realNow = RealDate.now.bind(RealDate);

/**
 * From now on, the clocks of this process are ahead of the machine's by what these functions return, in milliseconds. The
 * monotonic clock never goes back.
 */
export function setOwnClocks(aheadMs: () => number, monotonicAheadMs = aheadMs): void {
  const now = () => realNow() + aheadMs();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, words, newTarget) =>
      Reflect.construct(target, words.length === 0 ? [now()] : words, newTarget) as object,
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  });
  const monotonic = performance.now.bind(performance);
  performance.now = () => monotonic() + monotonicAheadMs();
}
