/** One call of a method, from its start to its end: its time, its signals and its waits. */
import type { InTurn } from '../core/abort-watcher.ts';
import type { CallSite } from '../core/call-site.ts';
import { completeError, type EmailPlatformError, type Effect } from '../core/error-base.ts';
import { AbortedError, TimeoutError } from '../core/errors.ts';
import type { RequestOptions, RequestSpec, TokenSearch } from '../core/request.ts';
import { stopwatch } from '../core/steady-time.ts';
import type { Permit } from '../throttle/permit.ts';
import { messageIdsOf, rejectedIn } from './call-summary.ts';
import type { CallConfig } from './config.ts';
import { failureOf } from './errors.ts';
import { emit, type CallEvent, type EndEvent } from './hooks.ts';
import type { PreparedRequest, RequestName } from './prepared-request.ts';
import { MIN_TOKEN_LENGTH, Redaction, secretsOfAddress } from './redaction.ts';
import { isRetryable } from './retry-policy.ts';
import { timeLimit } from './runtimes/time-limit.ts';

/** The parts of a request that create a call. */
type RequestHead = RequestName & Pick<RequestSpec<unknown>, 'template'>;

/** Resolves or rejects a wait. */
export interface Wait<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One call of a method, over all its attempts. An aborted signal or the deadline ends the call and its wait: `start`,
 * `check` and `wait`; `close` and `fail` end it in any case. A method that changes the state is named after its event.
 * Thousands of calls may be queued, so each part is created at its first use.
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
  #recorded: Promise<void> | undefined = undefined;
  #isInFlight = false;
  #isWithdrawn = false;
  #steering: { readonly thrown: unknown } | undefined = undefined;
  #signedAddresses: readonly string[] = [];
  /** The tokens of its attempts, and those in their responses. */
  #tokens: readonly string[] = [];
  /** First the spec, then its prepared request, so that a queued call does not retain the spec. */
  #name: RequestName;
  #isRepeatable = false;
  readonly #site: CallSite;
  readonly #meta: unknown;
  /** Milliseconds since the call was made. */
  readonly #elapsedMs: () => number;
  #deadlineMs = Infinity;
  #id: string | undefined = undefined;
  #ended: EmailPlatformError | undefined = undefined;
  #permit: Permit | undefined = undefined;
  #doing: string | (() => string) = 'about to be sent';
  #interrupt: ((reason: unknown) => void) | undefined = undefined;
  /** Functions that remove the listeners and the timer. */
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
    if (signal) this.#stops.push(runtime.onAbort(signal, (reason, inTurn) => this.#aborted(inTurn, reason)));
    if (whileWanted)
      this.#stops.push(runtime.onAbort(whileWanted, (reason, inTurn) => this.#withdrawn(inTurn, reason)));
    if (deadlineMs === Infinity) return;
    this.#deadlineMs = deadlineMs;
    this.#stops.push(timeLimit(runtime, deadlineMs, () => this.#deadlinePassed()));
  }

  /**
   * Throws if the call has to end. Runs before every request and reads the clocks: timers may fire late and in any
   * order, for instance after the machine has slept.
   */
  check(): void {
    if (this.remainingMs <= 0) this.#deadlinePassed();
    if (this.#ended) throw this.#ended;
  }

  /**
   * Waits for a promise, for a function that ends the wait, or only for the time. The end of the call ends the wait at
   * once. A call has one wait at a time: in the queue, in flight, or before a retry.
   */
  wait<T>(
    source: Promise<T> | ((wait: Wait<T>) => void) | undefined,
    doing: string | (() => string),
    timeoutMs?: number,
  ): Promise<T> {
    const { runtime } = this.config;
    this.#doing = doing;
    let stopTimer: (() => void) | undefined;
    const waited = new Promise<T>((resolve, reject) => {
      this.#interrupt = reject;
      if (timeoutMs !== undefined) {
        stopTimer = source
          ? timeLimit(runtime, timeoutMs, () => reject(this.timeoutError('timeout', timeoutMs)))
          : runtime.setTimer(timeoutMs, () => resolve(undefined as T));
      }
      if (typeof source === 'function') source({ resolve, reject });
      else source?.then(resolve, reject);
      if (this.#ended) reject(this.#ended);
    });
    return stopTimer ? waited.finally(stopTimer) : waited;
  }

  /** The error of a timeout or a deadline. */
  timeoutError(limit: 'timeout' | 'deadline', ms: number): TimeoutError {
    const kind = limit === 'timeout' ? 'attempt' : limit;
    const doing = typeof this.#doing === 'string' ? this.#doing : this.#doing();
    const message = `${this.#name.operation} did not finish within its ${limit} of ${ms} ms; it was ${doing}`;
    return new TimeoutError(message, { kind, effect: this.#effect });
  }

  /** An attempt begins. */
  beginAttempt(): void {
    this.#status = undefined;
  }

  /** A request is given to `fetch`. */
  sent(): void {
    this.#attempts += 1;
  }

  /** Its first byte leaves: from now on the service may receive it. */
  leaves(): void {
    this.#isInFlight = true;
  }

  /** The request has ended: its response was read, or it failed. */
  landed(): void {
    this.#isInFlight = false;
  }

  /** A response was read. */
  answered(status: number): void {
    this.#status = status;
  }

  /** The body is read or checked after the response: if the call ends meanwhile, the service may have acted. */
  reading(): void {
    this.#isInFlight = true;
  }

  /** An attempt failed, and the service may have acted on it. */
  lost(error: EmailPlatformError): void {
    this.#lost ??= error;
  }

  /** The service may have acted on an earlier call with the same key. */
  actedBefore(): void {
    this.#actedBefore = true;
  }

  /** The outcome of an attempt's keys is being recorded. The promise never fails. */
  recording(recorded: Promise<void>): Promise<void> {
    this.#recorded = recorded;
    return recorded;
  }

  /** A function threw that is not ours. If a framework steers by the value, it has to reach the framework: no retry follows. */
  caught(thrown: unknown): void {
    if (this.config.runtimeFetch.steers(thrown)) this.#steering = { thrown };
  }

  /** The service answered 429, and a retry follows. */
  refused(): void {
    this.#refusals += 1;
  }

  /** An attempt is queued; an abort takes it out of the queue. */
  enqueued(permit: Permit): void {
    this.#permit = permit;
  }

  /** An attempt left the queue after this time. */
  dequeued(ms: number): void {
    this.#queuedMs += ms;
  }

  /** Keeps a signed address, or the target of its redirect, out of every error. */
  addressed(address: string): void {
    this.#signedAddresses = [...this.#signedAddresses, address];
  }

  /** An attempt has this token, or its response: it stays hidden as long as the call lasts, however many others follow. */
  learned(token: string): void {
    this.config.tokens.add(token);
    if (token.length >= MIN_TOKEN_LENGTH && !this.#tokens.includes(token))
      this.#tokens = [...this.#tokens, token];
  }

  /** Sets the function that runs at the end of the call, after the hooks. */
  whenEnded(onEnd: (event: EndEvent) => void): void {
    this.#onEnd = onEnd;
  }

  /** Requests sent so far. */
  get attempts(): number {
    return this.#attempts;
  }

  /** Responses with 429 that a retry has followed. */
  get refusals(): number {
    return this.#refusals;
  }

  /** The status of the last response that was read; undefined while its request has none. */
  get status(): number | undefined {
    return this.#status;
  }

  /** The record of the previous attempt's keys. */
  get recorded(): Promise<void> {
    return this.#recorded ?? Promise.resolve();
  }

  /** Milliseconds in the queue so far. */
  get queuedMs(): number {
    return this.#queuedMs;
  }

  /** The first failure that leaves the effect unknown. */
  get firstLost(): EmailPlatformError | undefined {
    return this.#lost;
  }

  /** Whether the service may have a request of this call now. */
  get isInFlight(): boolean {
    return this.#isInFlight;
  }

  /** Whether the caller no longer wants the call. A request in flight may finish; no retry follows. */
  get isWithdrawn(): boolean {
    return this.#isWithdrawn;
  }

  /** Whether a framework ends the call. */
  get isSteered(): boolean {
    return this.#steering !== undefined;
  }

  /** Milliseconds left before the deadline; Infinity if there is none. */
  get remainingMs(): number {
    return this.#deadlineMs - this.#elapsedMs();
  }

  /** The options of further requests of this call: their deadline is the rest of its own. */
  within<Options extends RequestOptions>(options: Options): Options {
    const { remainingMs } = this;
    return { ...options, deadlineMs: remainingMs === Infinity ? undefined : remainingMs };
  }

  /** The fields of every event that identify the call. */
  event(): CallEvent {
    const { operation, method, host, path } = this.#name;
    const callId = (this.#id ??= (this.config.runtime.random() * 2 ** 53).toString(36));
    return { callId, operation, method, host, path, meta: this.#meta };
  }

  /** Redacts texts that this call caused; `contents` are the parts of its request that a gateway may repeat. */
  redaction(contents?: () => unknown[], secrets: readonly string[] = []): Redaction {
    return new Redaction(this.config.tokens, contents, [
      ...this.#tokens,
      ...this.#signedAddresses.flatMap(secretsOfAddress),
      ...secrets,
    ]);
  }

  /** The search for the tokens of this call, and for the latest ones of its client. */
  tokenSearch(): TokenSearch {
    return {
      areIn: (text) => this.redaction().text(text) !== text,
      reach: () => this.config.tokens.reachWith(this.#tokens),
    };
  }

  /** Ends the call: removes its listeners and its timer. */
  close(error?: EmailPlatformError, result?: unknown): void {
    for (const stop of this.#stops) stop();
    const event = (): EndEvent => ({
      ...this.event(),
      outcome: error ? 'failed' : 'succeeded',
      durationMs: Math.round(this.#elapsedMs()),
      attempts: this.#attempts,
      error,
      message_ids: messageIdsOf(result, this.tokenSearch()),
      rejected: rejectedIn(result),
    });
    emit(this.config.hooks.onEnd, event);
    this.#onEnd?.(event());
  }

  /**
   * Ends a failed call. Returns what its caller gets: the error, completed with the call's facts, or the value by which
   * a framework steers.
   */
  fail(cause: unknown): unknown {
    const error = failureOf(this.#name.operation, cause, this.redaction());
    this.complete(error);
    this.close(error);
    return this.#steering ? this.#steering.thrown : error;
  }

  /**
   * Adds the call's facts to an error. An error of another call stays as it is. The first failure may become the final
   * error of this call; its facts are then updated.
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

  /** A queued call leaves its queue at once, so that it is never sent. Thousands may be queued: its end can wait. */
  #aborted(inTurn: InTurn, cause: unknown): void {
    const end = () => {
      const message = `${this.#name.operation} was aborted`;
      this.#end(new AbortedError(message, { effect: this.#effect, cause }));
    };
    if (this.#permit?.state === 'waiting') {
      this.#permit.end('neverSent');
      inTurn(end);
    } else end();
  }

  #withdrawn(inTurn: InTurn, cause: unknown): void {
    this.#isWithdrawn = true;
    if (!this.#isInFlight) this.#aborted(inTurn, cause);
  }

  #deadlinePassed(): void {
    this.#end(this.timeoutError('deadline', this.#deadlineMs));
  }

  #end(error: EmailPlatformError): void {
    this.#ended ??= error;
    this.#interrupt?.(this.#ended);
  }
}
