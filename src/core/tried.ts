/** Runs code that may throw because of a caller's value: it may have getters that do, or be no object. */

/** The value that a function returns; undefined when it throws. */
export function tried<T>(run: () => T): T | undefined;
/** The value that a function returns; when it throws, what `otherwise` makes of the cause, which may throw again. */
export function tried<T>(run: () => T, otherwise: (cause: unknown) => T): T;
export function tried<T>(run: () => T, otherwise?: (cause: unknown) => T): T | undefined {
  try {
    return run();
  } catch (cause) {
    return otherwise?.(cause);
  }
}

/** Runs code whose failure, at once or later, has no effect, such as cancelling a stream that nobody reads any more. */
export function ignoringFailure(run: () => unknown): void {
  new Promise((resolve) => resolve(run())).catch(() => undefined);
}

/** Calls an observer. Its failure has no effect on the call, and its result is ignored. */
export function tell<E>(observer: ((event: E) => unknown) | undefined, event: () => E): void {
  if (observer) ignoringFailure(() => observer(event()));
}
