import type { CallSite } from '../core/call-site.ts';
import { completeError, type EmailPlatformError, type Effect } from '../core/error-base.ts';
import { AbortedError, TimeoutError } from '../core/errors.ts';
import type { RequestOptions, RequestSpec } from '../core/request.ts';
import { stopwatch } from '../core/steady-time.ts';
import type { AccountPoolName } from '../core/limits.ts';
import type { ThrottleKey } from '../throttle/permit.ts';
import { failureOf } from './connection-failure.ts';
import { Redaction } from './redact.ts';
import { secretsIn } from './signed-address.ts';
import { isRetryable, retryLimits, type RetryLimits } from './retry-policy.ts';
import type { CallConfig } from './config.ts';
import { emit, type CallEvent, type EndEvent } from './hooks.ts';

/** Which request it is, for errors and events. */
type NamedRequest = Pick<RequestSpec<unknown>, 'operation' | 'method' | 'host' | 'path'>;

type Kept = keyof NamedRequest | 'secrets' | 'result' | 'settle' | 'whileWanted';

/** A request, checked and written out. Of its spec it keeps only what is needed later. */
export interface PreparedRequest extends Pick<RequestSpec<unknown>, Kept> {
  readonly schema: string | undefined;
  readonly signedUrl: string | undefined;
  /** Whether it is sent with the token and the client's headers: as the service's own requests are. */
  readonly isOwn: boolean;
  readonly isRepeatable: boolean;
  readonly options: RequestOptions;
  readonly address: string;
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

/** What ends a wait. */
export interface Wait<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One call of a method, over all its attempts. It ends early when its signal is aborted or its deadline passes, and
 * then stops whatever it is waiting for. Thousands of them may be queued, so it creates nothing before it is needed.
 */
export class Call {
  /** Until the call starts, only what says which request it is. */
  request: PreparedRequest;
  readonly config: CallConfig;
  /** Requests sent so far. */
  attempts = 0;
  /** 429s so far. */
  refusals = 0;
  /** The first failure after which the service may have acted. */
  lost: EmailPlatformError | undefined = undefined;
  /** Whether a request of this call is at the service now, or on its way. */
  isInFlight = false;
  /** No longer wanted: a request in flight may finish, but it is the last. */
  isWithdrawn = false;
  /** Where redirects of a signed address led: these are as secret as it is. */
  redirects: string[] | undefined = undefined;
  readonly #site: CallSite;
  readonly #meta: unknown;
  /** Milliseconds since the call was made. */
  readonly #elapsedMs: () => number;
  #deadlineMs = Infinity;
  #id: string | undefined = undefined;
  #ended: EmailPlatformError | undefined = undefined;
  #doing = 'about to be sent';
  #interrupt: ((reason: unknown) => void) | undefined = undefined;
  /** End what it listens to, and its timer. */
  readonly #stops: (() => void)[] = [];

  constructor(request: NamedRequest, config: CallConfig, site: CallSite, meta?: unknown) {
    this.request = request as PreparedRequest;
    this.config = config;
    this.#site = site;
    this.#meta = meta;
    this.#elapsedMs = stopwatch(config.runtime);
  }

  /** Starts to listen to the signals and to wait for the deadline, until `close`. */
  start(request: PreparedRequest): void {
    this.request = request;
    const { whileWanted, options } = request;
    const { runtime, onAbort } = this.config;
    const { signal, deadlineMs = this.config.deadlineMs ?? Infinity } = options;
    if (signal) this.#stops.push(onAbort(signal, (reason) => this.#aborted(reason)));
    if (whileWanted) this.#stops.push(onAbort(whileWanted, () => this.#withdrawn()));
    if (deadlineMs === Infinity) return;
    this.#deadlineMs = deadlineMs;
    this.#stops.push(runtime.setTimer(deadlineMs, () => this.#deadlinePassed()));
  }

  /** Milliseconds for one attempt. */
  get timeoutMs(): number {
    return this.request.options.timeoutMs ?? this.config.timeoutMs;
  }

  /** How it is retried. */
  get retry(): RetryLimits {
    return retryLimits(this.request.options.retry, this.config.retry);
  }

  /** Milliseconds left before the deadline; Infinity if there is none. */
  get remainingMs(): number {
    return this.#deadlineMs - this.#elapsedMs();
  }

  /**
   * Throws if the call has to end. To be called before anything is sent: the clocks decide, because timers may
   * fire late and in any order, for instance after the machine has slept.
   */
  check(): void {
    if (this.remainingMs <= 0) this.#deadlinePassed();
    if (this.#ended) throw this.#ended;
  }

  /**
   * Waits for a promise, or for what `source` passes the wait to, or only for the time; but ends at once when the call
   * has to end. There is one wait at a time: a call is queued, or in flight, or waits before a retry.
   */
  wait<T>(
    source: Promise<T> | ((wait: Wait<T>) => void) | undefined,
    doing: string,
    timeoutMs?: number,
  ): Promise<T> {
    this.#doing = doing;
    let stopTimer: (() => void) | undefined;
    const waited = new Promise<T>((resolve, reject) => {
      this.#interrupt = reject;
      if (timeoutMs !== undefined) {
        stopTimer = this.config.runtime.setTimer(timeoutMs, () => {
          if (source) reject(this.#late('timeout', timeoutMs));
          else resolve(undefined as T);
        });
      }
      if (typeof source === 'function') source({ resolve, reject });
      else source?.then(resolve, reject);
      if (this.#ended) reject(this.#ended);
    });
    return stopTimer ? waited.finally(stopTimer) : waited;
  }

  /** What every event says about this call. */
  event(): CallEvent {
    const { operation, method, host, path } = this.request;
    const callId = (this.#id ??= (this.config.runtime.random() * 2 ** 53).toString(36));
    return { callId, operation, method, host, path, meta: this.#meta };
  }

  /** Redacts what this call led to; `sent` is what others may repeat of its request. */
  redaction(sent?: () => unknown[], secrets: readonly string[] = []): Redaction {
    const { signedUrl } = this.request;
    const addresses = [...(signedUrl === undefined ? [] : [signedUrl]), ...(this.redirects ?? [])];
    return new Redaction(this.config.tokens.and(secrets), sent, addresses.flatMap(secretsIn));
  }

  /** The call is over: removes its listeners and its timer. */
  close(error?: EmailPlatformError): void {
    for (const stop of this.#stops) stop();
    const event = (): EndEvent => ({
      ...this.event(),
      outcome: error ? 'failed' : 'succeeded',
      durationMs: Math.round(this.#elapsedMs()),
      attempts: this.attempts,
      error,
    });
    emit(this.config.hooks.onEnd, event);
  }

  /** The call has failed. Returns the error, which says which call it belongs to and what is known of it. */
  fail(cause: unknown): EmailPlatformError {
    const error = failureOf(this.request.operation, cause, this.redaction());
    this.complete(error);
    this.close(error);
    return error;
  }

  /**
   * Says in an error which call it belongs to, and what is known of it by now. That of another call is left as it is. The
   * first failure may be what this call fails with in the end, and is then brought up to date.
   */
  complete(error: EmailPlatformError): void {
    const { operation, method, path, isRepeatable } = this.request;
    const summary = {
      request: { operation, method, path, attempts: this.attempts, elapsedMs: Math.round(this.#elapsedMs()) },
      site: this.#site,
      maybeActed: this.lost !== undefined,
      isRetryable: isRetryable(error, isRepeatable),
    };
    completeError(error, summary, error === this.lost);
  }

  get #effect(): Effect {
    return this.isInFlight || this.lost ? 'unknown' : 'none';
  }

  #aborted(cause?: unknown): void {
    const message = `${this.request.operation} was aborted`;
    this.#end(new AbortedError(message, { effect: this.#effect, cause }));
  }

  #withdrawn(): void {
    this.isWithdrawn = true;
    if (!this.isInFlight) this.#aborted();
  }

  #deadlinePassed(): void {
    this.#end(this.#late('deadline', this.#deadlineMs));
  }

  #late(limit: 'timeout' | 'deadline', ms: number): TimeoutError {
    const kind = limit === 'timeout' ? 'attempt' : limit;
    const message = `${this.request.operation} did not finish within its ${limit} of ${ms} ms; it was ${this.#doing}`;
    return new TimeoutError(message, { kind, effect: this.#effect });
  }

  #end(error: EmailPlatformError): void {
    this.#ended ??= error;
    this.#interrupt?.(this.#ended);
  }
}
