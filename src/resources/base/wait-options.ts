import type { RequestOptions } from '../../core/request.ts';

/** Options of a method that polls an object until it has a certain state. */
export interface WaitOptions<T> extends RequestOptions {
  /**
   * Milliseconds for the whole wait, in place of the client's `deadlineMs`.
   * @defaultValue 3_600_000
   */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds between two polls; by default 10 000 for campaigns and sending domains, and 2 000 for others. */
  readonly pollMs?: number | undefined;
  /** Called with the object after each poll. What it throws is ignored. */
  readonly onProgress?: ((object: T) => void) | undefined;
}
