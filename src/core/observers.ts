/** Tells somebody who only watches. Whatever they throw, now or later, stays their own affair. */
export function tell<E>(observer: ((event: E) => unknown) | undefined, event: () => E): void {
  if (observer === undefined) return;
  try {
    const result = observer(event());
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // They have no say.
  }
}
