/** Calls an observer, which must not affect the call: whatever it throws, or rejects with, is ignored. */
export function tell<E>(observer: ((event: E) => unknown) | undefined, event: () => E): void {
  if (observer === undefined) return;
  try {
    const result = observer(event());
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // An observer cannot fail the call.
  }
}
