import { ignoringFailure } from './tried.ts';

/** Calls an observer. Its failure has no effect on the call, and its result is ignored. */
export function tell<E>(observer: ((event: E) => unknown) | undefined, event: () => E): void {
  if (observer) ignoringFailure(() => observer(event()));
}
