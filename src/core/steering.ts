import { tried } from './tried.ts';

/**
 * Whether a framework steers by a thrown value: Next recognizes its own errors by a text in `digest`, and React waits
 * for a thrown promise. Such a value has to reach the framework as it was thrown.
 */
export const steersFramework = (thrown: unknown): boolean =>
  tried(() => {
    const value = Object(thrown) as { readonly digest?: unknown; readonly then?: unknown };
    return (
      (Object.hasOwn(value, 'digest') && typeof value.digest === 'string') || typeof value.then === 'function'
    );
  }) ?? false;
