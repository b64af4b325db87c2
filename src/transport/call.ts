/** One call of a method, from its start to its end: its time, its signals, and what it waits for. */
import type { CallSite } from '../core/call-site.ts';
import { completeError, type EmailPlatformError, type Effect } from '../core/error-base.ts';
import { AbortedError, TimeoutError } from '../core/errors.ts';
import type { AccountPoolName } from '../core/limits.ts';
import type { Claim, RequestOptions, RequestSpec } from '../core/request.ts';
import { stopwatch } from '../core/steady-time.ts';
import type { ThrottleKey } from '../throttle/permit.ts';
import { messageIdsOf, rejectedIn } from './call-summary.ts';
import type { CallConfig } from './config.ts';
import { failureOf } from './errors.ts';
import { emit, type CallEvent, type EndEvent } from './hooks.ts';
import { Redaction, secretsOfAddress } from './redaction.ts';
import { isRetryable, type RetryLimits } from './retry-policy.ts';

/** The parts of a request that errors and events name. */
export type RequestName = Pick<RequestSpec<unknown>, 'operation' | 'method' | 'host' | 'path'>;

/** The parts of a request that a call is made with. */
type RequestHead = RequestName & Pick<RequestSpec<unknown>, 'template'>;

/** A request, checked and written out. Of its spec it keeps only the parts that are needed later. */
export interface PreparedRequest extends RequestName, Pick<RequestSpec<unknown>, 'decoder' | 'settle'> {
  readonly signedUrl: string | undefined;
  /** The claim around each attempt; undefined where nothing has to be claimed. */
  readonly claim: Claim<unknown> | undefined;
  readonly whileWanted: AbortSignal | undefined;
  /** Whether it is sent with the token and the client's headers: as the service's own requests are. */
  readonly isOwn: boolean;
  readonly isRepeatable: boolean;
  readonly options: RequestOptions;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  /** Milliseconds for the whole call; Infinity where it has no deadline. */
  readonly deadlineMs: number;
  readonly retry: RetryLimits;
  readonly address: string;
  /** Starts with `?`, or is empty. */
  readonly query: string;
  /** The body, written when the call starts: later changes to the caller's objects are not sent. */
  readonly body: string | Blob | undefined;
  readonly pool: AccountPoolName | undefined;
  readonly key: ThrottleKey;
}

/** The two ways to end a wait. */
export interface Wait<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One call of a method, over all its attempts. It ends early when its signal is aborted or its deadline passes, and
 * then stops its wait. Its state changes by the methods that are named after what has happened. Thousands of calls may be
 * queued, so each creates its parts when they are needed.
 */
export class Call {
  readonly config: CallConfig;
  /** The endpoint as it is declared. */
  readonly template: string | undefined;
  #attempts = 0;
  #refusals = 0;
  #status: number | undefined = undefined;
  #queuedMs = 0;
  #onEnd: ((event: EndEvent) => void) | undefined = undefined;
  #lost: EmailPlatformError | undefined = undefined;
  #actedBefore = false;
  #isInFlight = false;
  #isWithdrawn = false;
  #signedAddresses: readonly string[] = [];
  /** First the spec, then the request made of it, so that a call that waits does not keep the spec. */
  #name: RequestName;
  #isRepeatable = false;
  readonly #site: CallSite;
  readonly #meta: unknown;
  /** Milliseconds since the call was made. */
  readonly #elapsedMs: () => number;
  #deadlineMs = Infinity;
  #id: string | undefined = undefined;
  #ended: EmailPlatformError | undefined = undefined;
  #doing = 'about to be sent';
  #interrupt: ((reason: unknown) => void) | undefined = undefined;
  /** Remove its listeners and its timer. */
  readonly #stops: (() => void)[] = [];

  constructor(name: RequestHead, config: CallConfig, site: CallSite, meta?: unknown) {
    this.#name = name;
    this.template = name.template;
    this.config = config;
    this.#site = site;
    this.#meta = meta;
    this.#elapsedMs = stopwatch(config.runtime);
  }

  /** Starts to listen to the signals and to wait for the deadline, until `close`. */
  start(request: PreparedRequest): void {
    this.#name = request;
    const { whileWanted, options, signedUrl, isRepeatable, deadlineMs } = request;
    const { runtime } = this.config;
    const { signal } = options;
    this.#isRepeatable = isRepeatable;
    if (signedUrl !== undefined) this.addressed(signedUrl);
    if (signal) this.#stops.push(runtime.onAbort(signal, (reason) => this.#aborted(reason)));
    if (whileWanted) this.#stops.push(runtime.onAbort(whileWanted, () => this.#withdrawn()));
    if (deadlineMs === Infinity) return;
    this.#deadlineMs = deadlineMs;
    this.#stops.push(runtime.setTimer(deadlineMs, () => this.#deadlinePassed()));
  }

  /** An attempt is about to be sent. */
  beginAttempt(): void {
    this.#status = undefined;
  }

  /** A request leaves now: from here on it is at the service, or on its way. */
  sent(): void {
    this.#attempts += 1;
    this.#isInFlight = true;
  }

  /** The request that was sent is over: its response was read, or it has failed. */
  landed(): void {
    this.#isInFlight = false;
  }

  /** A response has this status. */
  answered(status: number): void {
    this.#status = status;
  }

  /** A response is read or checked further: if the call ends meanwhile, the service may have acted. */
  reading(): void {
    this.#isInFlight = true;
  }

  /** An attempt has failed after which the service may have acted. */
  lost(error: EmailPlatformError): void {
    this.#lost ??= error;
  }

  /** The service may have acted on the same call when it was made before, with the same key. */
  actedBefore(): void {
    this.#actedBefore = true;
  }

  /** The service has refused a request with 429, which is sent again. */
  refused(): void {
    this.#refusals += 1;
  }

  /** An attempt has been queued for so long. */
  queued(ms: number): void {
    this.#queuedMs += ms;
  }

  /** The signed address of its request, or where a redirect of that leads: no error quotes it. */
  addressed(address: string): void {
    this.#signedAddresses = [...this.#signedAddresses, address];
  }

  /** Has a function told of the end, after the hooks. */
  whenEnded(onEnd: (event: EndEvent) => void): void {
    this.#onEnd = onEnd;
  }

  /** Requests sent so far. */
  get attempts(): number {
    return this.#attempts;
  }

  /** Responses with 429 so far, not counting the last, until it is known that it is followed by another attempt. */
  get refusals(): number {
    return this.#refusals;
  }

  /** The status of the last request's response, once it is there. */
  get status(): number | undefined {
    return this.#status;
  }

  /** Milliseconds in the queue so far. */
  get queuedMs(): number {
    return this.#queuedMs;
  }

  /** The first failure after which the service may have acted. */
  get firstLost(): EmailPlatformError | undefined {
    return this.#lost;
  }

  /** Whether a request of this call is at the service now, or on its way. */
  get isInFlight(): boolean {
    return this.#isInFlight;
  }

  /** No longer wanted: a request in flight may finish, but it is the last. */
  get isWithdrawn(): boolean {
    return this.#isWithdrawn;
  }

  /** Milliseconds left before the deadline; Infinity if there is none. */
  get remainingMs(): number {
    return this.#deadlineMs - this.#elapsedMs();
  }

  /** The options of further requests that are part of the call: within what is left of its deadline. */
  within<Options extends RequestOptions>(options: Options): Options {
    const { remainingMs } = this;
    return { ...options, deadlineMs: remainingMs === Infinity ? undefined : remainingMs };
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
   * Waits for a promise, or until a function that is given the wait ends it, or only for the time; but ends at once when
   * the call has to end. There is one wait at a time: a call is queued, or in flight, or waits before a retry.
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
          if (source) reject(this.late('timeout', timeoutMs));
          else resolve(undefined as T);
        });
      }
      if (typeof source === 'function') source({ resolve, reject });
      else source?.then(resolve, reject);
      if (this.#ended) reject(this.#ended);
    });
    return stopTimer ? waited.finally(stopTimer) : waited;
  }

  /** The error for a limit that has passed. */
  late(limit: 'timeout' | 'deadline', ms: number): TimeoutError {
    const kind = limit === 'timeout' ? 'attempt' : limit;
    const message = `${this.#name.operation} did not finish within its ${limit} of ${ms} ms; it was ${this.#doing}`;
    return new TimeoutError(message, { kind, effect: this.#effect });
  }

  /** The part of every event that says which call it is about. */
  event(): CallEvent {
    const { operation, method, host, path } = this.#name;
    const callId = (this.#id ??= (this.config.runtime.random() * 2 ** 53).toString(36));
    return { callId, operation, method, host, path, meta: this.#meta };
  }

  /** Redacts texts that this call led to; `contents` are the parts of its request that others may repeat. */
  redaction(contents?: () => unknown[], secrets: readonly string[] = []): Redaction {
    return new Redaction(this.config.tokens, contents, [
      ...this.#signedAddresses.flatMap(secretsOfAddress),
      ...secrets,
    ]);
  }

  /** The call is over: removes its listeners and its timer. */
  close(error?: EmailPlatformError, result?: unknown): void {
    for (const stop of this.#stops) stop();
    const event = (): EndEvent => ({
      ...this.event(),
      outcome: error ? 'failed' : 'succeeded',
      durationMs: Math.round(this.#elapsedMs()),
      attempts: this.#attempts,
      error,
      message_ids: messageIdsOf(result, this.config.tokens),
      rejected: rejectedIn(result),
    });
    emit(this.config.hooks.onEnd, event);
    this.#onEnd?.(event());
  }

  /** The call has failed. Returns the error, completed with what is known of the call. */
  fail(cause: unknown): EmailPlatformError {
    const error = failureOf(this.#name.operation, cause, this.redaction());
    this.complete(error);
    this.close(error);
    return error;
  }

  /**
   * Says in an error which call it belongs to, and what is known of it by now. An error of another call stays as it is. The
   * first failure may become the error of this call in the end, and is then brought up to date.
   */
  complete(error: EmailPlatformError): void {
    const { operation, method, path } = this.#name;
    const summary = {
      request: {
        operation,
        method,
        path,
        attempts: this.#attempts,
        elapsedMs: Math.round(this.#elapsedMs()),
      },
      site: this.#site,
      maybeActed: this.#actedBefore || this.#lost !== undefined,
      isRetryable: isRetryable(error, this.#isRepeatable),
    };
    completeError(error, summary, error === this.#lost);
  }

  get #effect(): Effect {
    return this.#isInFlight || this.#lost || this.#actedBefore ? 'unknown' : 'none';
  }

  #aborted(cause?: unknown): void {
    const message = `${this.#name.operation} was aborted`;
    this.#end(new AbortedError(message, { effect: this.#effect, cause }));
  }

  #withdrawn(): void {
    this.#isWithdrawn = true;
    if (!this.#isInFlight) this.#aborted();
  }

  #deadlinePassed(): void {
    this.#end(this.late('deadline', this.#deadlineMs));
  }

  #end(error: EmailPlatformError): void {
    this.#ended ??= error;
    this.#interrupt?.(this.#ended);
  }
}
