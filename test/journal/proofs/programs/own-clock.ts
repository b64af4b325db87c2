/** The clocks of this process, which can be set forward or back while those of the machine go on. */
const realNow = Date.now.bind(Date);
const RealDate = Date;

/** The machine's time, in milliseconds since 1970. */
export { realNow };

/** From now on, all that this process measures time with is ahead of the machine by what `aheadMs` returns. */
export function setOwnClocks(aheadMs: () => number): void {
  const now = () => realNow() + aheadMs();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, words, newTarget) =>
      Reflect.construct(target, words.length === 0 ? [now()] : words, newTarget) as object,
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  });
  const monotonic = performance.now.bind(performance);
  performance.now = () => monotonic() + aheadMs();
}
