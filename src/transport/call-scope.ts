import type { EmailPlatformError } from '../core/error-base.ts';
import { AbortedError, TimeoutError } from '../core/errors.ts';
import type { Runtime } from './runtime.ts';

/** How long a call may live: until its caller's signal, or its deadline. Everything it waits for listens here. */
export class CallScope {
  /** Why the call had to end, once it had to. */
  ended: EmailPlatformError | undefined;
  readonly #listeners = new Set<(reason: EmailPlatformError) => void>();
  readonly #deadlineAt: number;
  readonly #runtime: Runtime;
  readonly #release: () => void;

  constructor(
    operation: string,
    runtime: Runtime,
    signal: AbortSignal | undefined,
    deadlineMs: number | undefined,
  ) {
    this.#runtime = runtime;
    this.#deadlineAt = deadlineMs === undefined ? Infinity : runtime.now() + deadlineMs;
    const onAbort = () => {
      this.#end(new AbortedError(`${operation} was aborted`, { effect: 'none', cause: signal?.reason }));
    };
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const stopTimer =
      deadlineMs === undefined
        ? undefined
        : runtime.setTimer(deadlineMs, () => {
            const message = `${operation} did not finish within its deadline of ${deadlineMs} ms`;
            this.#end(new TimeoutError(message, { kind: 'deadline', effect: 'none' }));
          });
    // A signal may outlive thousands of calls: none of them leaves a listener behind.
    this.#release = () => {
      signal?.removeEventListener('abort', onAbort);
      stopTimer?.();
    };
  }

  /** Milliseconds left before the deadline. */
  get remainingMs(): number {
    return this.#deadlineAt - this.#runtime.now();
  }

  /** Calls the listener when the call has to end; returns the removal. */
  onEnd(listener: (reason: EmailPlatformError) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Resolves after so many milliseconds, or rejects as soon as the call has to end. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.ended) {
        reject(this.ended);
        return;
      }
      const removeListener = this.onEnd((reason) => {
        stopTimer();
        reject(reason);
      });
      const stopTimer = this.#runtime.setTimer(ms, () => {
        removeListener();
        resolve();
      });
    });
  }

  /** The call is over: lets go of the signal and the timer. */
  close(): void {
    this.#release();
    this.#listeners.clear();
  }

  #end(reason: EmailPlatformError): void {
    if (this.ended) return;
    this.ended = reason;
    for (const listener of [...this.#listeners]) listener(reason);
  }
}
