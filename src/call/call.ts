import { completeError, type Effect, type EmailPlatformError } from '../core/error-base.ts';
import { AbortedError, TimeoutError } from '../core/errors.ts';
import type { RequestOptions, RequestSpec } from '../core/request.ts';
import type { AccountPoolName } from '../core/limits.ts';
import type { ThrottleKey } from '../throttle/permit.ts';
import { retryLimits, type RetryLimits } from '../retry/policy.ts';
import type { Abortable } from './abort-watch.ts';
import type { CallConfig } from './config.ts';

/** A request, checked and written out. Of its spec it keeps only what is needed later. */
export interface PreparedRequest extends Pick<
  RequestSpec<unknown>,
  'operation' | 'method' | 'host' | 'path' | 'isRepeatable' | 'result'
> {
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

/** What a call waits for. */
export interface Wait {
  /** What the call is doing, for the deadline's error; absent while a request is in flight. */
  readonly doing?: string;
  /** Milliseconds after which the wait is over; without a limit by default. */
  readonly timeoutMs?: number;
  /** Makes the error of a wait that took too long; without it, the time itself is waited for. */
  readonly onTimeout?: () => Error;
}

/**
 * One call of a method, over all its attempts. It ends early when its signal is aborted or its deadline passes, and
 * then stops whatever it is waiting for. Thousands of them may be queued, so it creates nothing before it is needed.
 */
export class Call implements Abortable, EventListenerObject {
  readonly request: PreparedRequest;
  readonly config: CallConfig;
  /** Requests sent so far. */
  attempts = 0;
  /** 429s so far. */
  refusals = 0;
  /** Whether the service may have acted on a request of this call that has ended. */
  effect: Effect = 'none';
  /** Whether a request of this call is at the service now, or on its way. */
  isInFlight = false;
  /** No longer wanted: a request in flight may finish, but it is the last. */
  isWithdrawn = false;
  readonly #startedAt: number;
  readonly #endsAt: number;
  #ended: EmailPlatformError | undefined = undefined;
  #waiting: { readonly doing: string | undefined; readonly end: (reason: Error) => void } | undefined =
    undefined;
  #stopDeadline: (() => void) | undefined = undefined;

  /** Starts to listen to the signals and to wait for the deadline, until `close`. */
  constructor(request: PreparedRequest, config: CallConfig) {
    this.request = request;
    this.config = config;
    this.#startedAt = config.runtime.now();
    const { signal, deadlineMs = config.deadlineMs } = request.options;
    this.#endsAt = this.#startedAt + (deadlineMs ?? Infinity);
    if (signal?.aborted) this.aborted();
    else if (signal) config.abortWatch.add(signal, this);
    request.whileWanted?.addEventListener('abort', this);
    if (deadlineMs !== undefined) {
      this.#stopDeadline = config.runtime.setTimer(deadlineMs, () => {
        this.#deadlinePassed();
      });
    }
  }

  /** Milliseconds for one attempt. */
  get timeoutMs(): number {
    return this.request.options.timeoutMs ?? this.config.timeoutMs;
  }

  /** How it is retried. */
  get retry(): RetryLimits | false {
    return retryLimits(this.request.options.retry, this.config.retry);
  }

  /** Milliseconds left before the deadline; Infinity if there is none. */
  get remainingMs(): number {
    return this.#endsAt - this.config.runtime.now();
  }

  /**
   * Throws if the call has to end. To be called before anything is sent: the clock decides, because timers may fire
   * late and in any order, for instance after the machine has slept.
   */
  check(): void {
    if (this.remainingMs <= 0) this.#deadlinePassed();
    if (this.#ended) throw this.#ended;
  }

  /** The caller's signal was aborted. */
  aborted(): void {
    const { operation, options } = this.request;
    const cause: unknown = options.signal?.reason;
    this.#end((effect) => new AbortedError(`${operation} was aborted`, { effect, cause }));
  }

  /** `whileWanted` was aborted: the call is no longer wanted. */
  handleEvent(): void {
    this.isWithdrawn = true;
    if (!this.isInFlight) this.aborted();
  }

  /**
   * Waits for `promise`, or until the time is over, but ends at once when the call has to end. There is only one wait
   * at a time: a call is queued, or in flight, or waits before a retry.
   */
  wait<T>(promise: Promise<T> | undefined, { doing, timeoutMs, onTimeout }: Wait): Promise<T> {
    return new Promise((resolve, reject) => {
      let stopTimer: (() => void) | undefined;
      const settle = <V>(how: (value: V) => void, value: V): void => {
        stopTimer?.();
        // When something comes too late, the call may be in another wait.
        if (this.#waiting === waiting) this.#waiting = undefined;
        how(value);
      };
      const waiting = { doing, end: (reason: Error) => settle(reject, reason) };
      this.#waiting = waiting;
      if (timeoutMs !== undefined) {
        stopTimer = this.config.runtime.setTimer(timeoutMs, () => {
          if (onTimeout) settle(reject, onTimeout());
          else settle(resolve, undefined as T);
        });
      }
      promise?.then(
        (value) => settle(resolve, value),
        (reason: unknown) => settle(reject, reason),
      );
      if (this.#ended) waiting.end(this.#ended);
    });
  }

  /** The call is over: removes its listeners and its timer. */
  close(): void {
    const { signal } = this.request.options;
    if (signal) this.config.abortWatch.remove(signal, this);
    this.request.whileWanted?.removeEventListener('abort', this);
    this.#stopDeadline?.();
    this.#waiting = undefined;
  }

  /** Adds to an error which call it belongs to, and whether an earlier attempt may have acted. */
  complete(error: EmailPlatformError): void {
    const { operation, method, path } = this.request;
    const elapsedMs = Math.round(this.config.runtime.now() - this.#startedAt);
    const request = { operation, method, path, attempts: this.attempts, elapsedMs };
    completeError(error, request, this.effect === 'unknown');
  }

  #deadlinePassed(): void {
    const { operation } = this.request;
    const ms = this.#endsAt - this.#startedAt;
    const doing = this.#waiting?.doing;
    const message = `${operation} did not finish within its deadline of ${ms} ms`;
    const text = doing === undefined ? message : `${message}; it was ${doing}`;
    this.#end((effect) => new TimeoutError(text, { kind: 'deadline', effect }));
  }

  #end(reason: (effect: Effect) => EmailPlatformError): void {
    if (this.#ended) return;
    this.#ended = reason(this.isInFlight ? 'unknown' : this.effect);
    this.#waiting?.end(this.#ended);
  }
}
