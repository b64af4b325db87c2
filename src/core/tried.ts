/** Runs code that may throw because of a caller's value: its getters may throw, or it may not be an object. */

/** The value that a function returns; undefined when it throws. */
export function tried<T>(run: () => T): T | undefined;
/**
 * The value that a function returns; if it throws, the value of `otherwise`, which gets the cause and may throw again.
 */
export function tried<T>(run: () => T, otherwise: (cause: unknown) => T): T;
export function tried<T>(run: () => T, otherwise?: (cause: unknown) => T): T | undefined {
  try {
    return run();
  } catch (cause) {
    return otherwise?.(cause);
  }
}

/** A field of a value of any type, such as a thrown one; undefined if it has none, or reading it throws. */
export const readFrom = (value: unknown, name: string): unknown =>
  tried(() => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name]);

/** Whether a value is a promise, or can be awaited as one, such as the query of a database client. */
export const isPromise = (value: unknown): boolean => typeof readFrom(value, 'then') === 'function';

/** Runs code and ignores its failure, at once or later, such as the cancellation of an abandoned stream. */
export function ignoringFailure(run: () => unknown): void {
  new Promise((resolve) => resolve(run())).catch(() => undefined);
}

/** Calls an observer. Its failure has no effect on the call, and its result is ignored. */
export function tell<E>(observer: ((event: E) => unknown) | undefined, event: () => E): void {
  if (observer) ignoringFailure(() => observer(event()));
}
