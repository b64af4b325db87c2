/** Calls an observer. Whatever it throws, or rejects with, is ignored, so that it cannot affect the call. */
export function tell<E>(observer: ((event: E) => unknown) | undefined, event: () => E): void {
  if (observer === undefined) return;
  try {
    const result = observer(event());
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // Ignored.
  }
}
