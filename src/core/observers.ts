/** Calls an observer. Whatever it throws or returns is ignored, so that it cannot affect the call. */
export function tell<E>(observer: ((event: E) => unknown) | undefined, event: () => E): void {
  if (observer) new Promise((resolve) => resolve(observer(event()))).catch(() => undefined);
}
