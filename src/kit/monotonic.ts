/**
 * Milliseconds of the monotonic clock. The date, where a test has put a function without a number in its place: by no number,
 * a wait would never end.
 */
export function monotonicMs(): number {
  const ms = performance.now() as unknown;
  return typeof ms === 'number' && Number.isFinite(ms) ? ms : Date.now();
}
