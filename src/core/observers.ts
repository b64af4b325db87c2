/** Calls an observer, which must not affect the call: whatever it throws, or what it returns comes to, is ignored. */
export function tell<E>(observer: ((event: E) => unknown) | undefined, event: () => E): void {
  if (observer) new Promise((resolve) => resolve(observer(event()))).catch(() => undefined);
}
