import { completeError, type EmailPlatformError } from '../core/error-base.ts';
import { AbortedError, TimeoutError } from '../core/errors.ts';
import type { RequestOptions, RequestSpec } from '../core/request.ts';
import type { AccountPoolName, ThrottleKey } from '../core/throttle.ts';
import type { Abortable } from './abort-watch.ts';
import type { TransportConfig } from './config.ts';

/** A request, checked and written out. Of its spec it keeps only what is needed later. */
export interface PreparedRequest extends Pick<
  RequestSpec<unknown>,
  'operation' | 'method' | 'host' | 'path' | 'result'
> {
  readonly isRepeatable: boolean;
  readonly schema: RequestSpec<unknown>['schema'];
  readonly settle: RequestSpec<unknown>['settle'];
  readonly whileWanted: RequestSpec<unknown>['whileWanted'];
  readonly signedUrl: string | undefined;
  readonly options: RequestOptions;
  /** Starts with `?`, or is empty. */
  readonly query: string;
  /**
   * The body, written when the call starts, so that what the caller changes afterwards is not sent. One that takes time
   * to write is filled in before the first attempt.
   */
  body: string | Blob | undefined;
  readonly pool: AccountPoolName | undefined;
  readonly key: ThrottleKey;
}

/** Whatever a call is waiting for; `callEnded` makes it stop when the call has to end. */
export interface CallEndListener {
  /** What the call is doing, for the deadline's error; absent while a request is in flight. */
  readonly doing?: string;
  callEnded(reason: EmailPlatformError): void;
}

/**
 * One call of a method, over all its attempts. It ends early when its signal is aborted or its deadline passes, and
 * then stops whatever it is waiting for. A hundred thousand of them may be queued, so it holds little, and creates
 * nothing before it is needed.
 */
export class Call implements Abortable, EventListenerObject {
  readonly request: PreparedRequest;
  readonly config: TransportConfig;
  /** Requests sent so far. */
  attempts = 0;
  /** Whether the service may have acted on one of them. */
  maybeActed = false;
  /** No longer wanted: a request in flight may finish, but it is the last. */
  isWithdrawn = false;
  /** Why the call had to end early; undefined as long as it need not. */
  ended: EmailPlatformError | undefined = undefined;
  readonly #startedAt: number;
  #listener: CallEndListener | undefined = undefined;
  #stopDeadline: (() => void) | undefined = undefined;

  /** Starts to listen to the signals and to wait for the deadline, until `close`. */
  constructor(request: PreparedRequest, config: TransportConfig) {
    this.request = request;
    this.config = config;
    this.#startedAt = config.runtime.now();
    const { signal } = request.options;
    if (signal?.aborted) this.aborted();
    else if (signal) config.abortWatch.add(signal, this);
    request.whileWanted?.addEventListener('abort', this);
    const { deadlineMs } = this;
    if (deadlineMs === undefined) return;
    this.#stopDeadline = config.runtime.setTimer(deadlineMs, () => {
      const doing = this.#listener?.doing;
      const message = `${request.operation} did not finish within its deadline of ${deadlineMs} ms`;
      this.#end(
        new TimeoutError(doing === undefined ? message : `${message}; it was ${doing}`, {
          kind: 'deadline',
          effect: 'none',
        }),
      );
    });
  }

  /** Milliseconds for one attempt. */
  get timeoutMs(): number {
    return this.request.options.timeoutMs ?? this.config.timeoutMs;
  }

  /** Milliseconds for the whole call, if it has a deadline. */
  get deadlineMs(): number | undefined {
    return this.request.options.deadlineMs ?? this.config.deadlineMs;
  }

  /** Milliseconds left before the deadline. */
  get remainingMs(): number {
    return this.#startedAt + (this.deadlineMs ?? Infinity) - this.config.runtime.now();
  }

  /** The caller's signal was aborted. */
  aborted(): void {
    const { operation, options } = this.request;
    const cause: unknown = options.signal?.reason;
    this.#end(new AbortedError(`${operation} was aborted`, { effect: 'none', cause }));
  }

  /** `whileWanted` was aborted: the call is no longer wanted. */
  handleEvent(): void {
    this.isWithdrawn = true;
    // A request in flight has a listener, one without `doing`. Nothing else is worth finishing.
    if (this.#listener === undefined || this.#listener.doing !== undefined) this.aborted();
  }

  /**
   * Sets what is called when the call has to end. There is only one listener at a time, because a call does one thing
   * at a time: it is queued, or in flight, or waits before a retry.
   */
  onEnd(listener: CallEndListener | undefined): void {
    this.#listener = listener;
  }

  /** Resolves after `ms` milliseconds, or rejects as soon as the call has to end. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.ended) {
        reject(this.ended);
        return;
      }
      const stopTimer = this.config.runtime.setTimer(ms, () => {
        this.onEnd(undefined);
        resolve();
      });
      this.onEnd({
        doing: 'waiting to be retried',
        callEnded: (reason) => {
          stopTimer();
          reject(reason);
        },
      });
    });
  }

  /** The call is over: removes its listeners and its timer. */
  close(): void {
    const { signal } = this.request.options;
    if (signal) this.config.abortWatch.remove(signal, this);
    this.request.whileWanted?.removeEventListener('abort', this);
    this.#stopDeadline?.();
    this.#listener = undefined;
  }

  /** Adds to an error which call it belongs to. */
  complete(error: EmailPlatformError): void {
    const { operation, method, path } = this.request;
    const elapsedMs = Math.round(this.config.runtime.now() - this.#startedAt);
    completeError(error, { operation, method, path, attempts: this.attempts, elapsedMs }, this.maybeActed);
  }

  #end(reason: EmailPlatformError): void {
    if (this.ended) return;
    this.ended = reason;
    this.#listener?.callEnded(reason);
  }
}
