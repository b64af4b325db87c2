import type { CallSite } from '../core/call-site.ts';
import { thrownFrom, type EmailPlatformError } from '../core/error-base.ts';
import type { Clock } from '../core/clock.ts';
import { AbortedError, InvalidRequestError, reading, type Issue } from '../core/errors.ts';
import { tell } from '../core/observers.ts';
import { anything, functionRule, issuesAt, positiveRule, tried } from '../core/rules.ts';
import { optionIssues, optionsWith } from '../core/request-options.ts';
import { isRecord } from '../core/record.ts';
import type { Execute } from '../core/request.ts';
import type { BatchAllOptions, BatchInput, BatchOutcome, BatchRun } from '../models/batch-outcomes.ts';
import { baseIssues } from '../models/sending-checks.ts';
import type { BatchBase, BatchRequest, MailDefaults, SendOptions } from '../models/sending.ts';
import { BatchInputs, OPERATION, write, type BatchChunk, type Written } from './batch-inputs.ts';
import { answered, isCallerMistake, failed, notSent } from './batch-results.ts';
import { Senders } from './batch-senders.ts';
import { batchJson, joined } from './mail-json.ts';
import { batchCall, completeBase, SEND_RULES } from './send-requests.ts';
import { sourceRule, type Source } from './source-reader.ts';

const DEFAULT_CONCURRENCY = 4;

const optionsRule = optionsWith({
  // Checked apart, by the rules of an email.
  base: anything,
  concurrency: positiveRule,
  onProgress: functionRule,
  ...SEND_RULES,
});
function batchAllIssues(source: unknown, options: BatchAllOptions, base: BatchBase | undefined): Issue[] {
  const issues = [...optionIssues(options, optionsRule), ...issuesAt('requests', sourceRule(source))];
  return [...baseIssues(base), ...issues];
}

const aborted = (cause: unknown, effect: 'none' | 'unknown') =>
  new AbortedError(`${OPERATION} was aborted`, { effect, cause });

/** Everything a run needs. */
interface Parts {
  readonly execute: Execute;
  readonly site: CallSite;
  readonly inputs: BatchInputs;
  readonly base: Written | undefined;
  readonly senders: Senders;
  /** For each call. */
  readonly options: SendOptions;
  readonly concurrency: number;
  readonly onProgress: BatchAllOptions['onProgress'];
}

/**
 * One run through an input. It proceeds only while the loop over its outcomes asks for more: it then reads and sends
 * until the allowed number of calls is in flight, or has outcomes that the loop has not received yet.
 */
class Run {
  readonly #parts: Parts;
  /** Outcomes that the loop has not received yet, in groups as they came. */
  readonly #ready: BatchOutcome[][] = [];
  readonly #tally = { accepted: 0, rejected: 0, not_sent: 0, unknown: 0 };
  /** Calls that have not ended: what is aborted here is sent no more, unless it is in flight. */
  readonly #calls = new Set<AbortController>();
  #callsBegun = 0;
  #callsEnded = 0;
  #state: 'idle' | 'filling' | 'filled' = 'idle';
  /** Why every further call would fail as well: the rest of the input is not sent. */
  #fatal: EmailPlatformError | undefined;
  /** The run ends before its input does; `error` says why, where the caller did not ask for that. */
  #stopped: { readonly error: EmailPlatformError | undefined } | undefined;
  #wake: () => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async *outcomes(): AsyncGenerator<BatchOutcome, void, undefined> {
    const { inputs } = this.#parts;
    for (;;) {
      this.#proceed();
      const ready = this.#ready.shift();
      if (ready) yield* ready;
      else if (this.#isOver) break;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#stopped?.error) throw this.#stopped.error;
    if (inputs.source.failure) throw inputs.source.failure.error;
  }

  /**
   * The caller's signal was aborted: what was read but not sent stays unsent. The signal itself ends calls in flight.
   */
  abort(reason: unknown): void {
    if (this.#isOver || this.#stopped) return;
    this.#stop(aborted(reason, this.#callsBegun > 0 ? 'unknown' : 'none'), aborted(reason, 'none'));
  }

  /** Ends reading and sending; the loop gets the outcomes of what was read, and ends. */
  finish(): void {
    if (this.#isOver || this.#stopped) return;
    this.leave();
    this.#stop(undefined, new AbortedError(`${OPERATION} was stopped`, { effect: 'none', cause: undefined }));
  }

  /** No more outcomes are asked for: calls that are queued, or wait to be retried, are not sent. */
  leave(): void {
    for (const wanted of this.#calls) wanted.abort();
  }

  get #inFlight(): number {
    return this.#callsBegun - this.#callsEnded;
  }

  get #isOver(): boolean {
    if (this.#inFlight > 0) return false;
    return this.#stopped !== undefined || (this.#state === 'idle' && this.#parts.inputs.isEmpty);
  }

  get #hasRoom(): boolean {
    return this.#inFlight + this.#ready.length < this.#parts.concurrency;
  }

  /** Sends what has been read, and reads on while there is room. */
  #proceed(): void {
    if (this.#stopped) return;
    const { inputs } = this.#parts;
    if (this.#state === 'filled' && this.#hasRoom) {
      this.#state = 'idle';
      this.#send(inputs.take());
    }
    if (this.#state === 'idle' && this.#hasRoom && !inputs.isEmpty) {
      this.#state = 'filling';
      void inputs
        .fill(() => this.#fatal === undefined)
        .then(() => {
          this.#state = 'filled';
          this.#wake();
        });
    }
  }

  #send({ inputs, json, refused }: BatchChunk): void {
    const unsent = refused.flatMap(({ input, error }) => notSent([input], error));
    if (this.#fatal) unsent.push(...notSent(inputs, this.#fatal));
    this.#deliver(unsent);
    if (this.#fatal || inputs.length === 0) return;
    const { execute, base, options, senders } = this.#parts;
    const tried = senders.tried(inputs);
    const body = joined(batchJson(base?.json, json));
    this.#callsBegun += 1;
    const wanted = new AbortController();
    this.#calls.add(wanted);
    void execute(
      batchCall(options, {
        operation: OPERATION,
        prepareBody: () => Promise.resolve(body),
        whileWanted: wanted.signal,
      }),
      options,
    )
      .then(
        (result) => {
          senders.accepted(tried);
          return answered(inputs, result);
        },
        (error: unknown) => this.#failed(inputs, tried, error as EmailPlatformError),
      )
      .then((outcomes) => {
        this.#callsEnded += 1;
        this.#calls.delete(wanted);
        this.#deliver(outcomes);
      });
  }

  #failed(
    inputs: readonly BatchInput[],
    tried: ReadonlySet<string>,
    error: EmailPlatformError,
  ): BatchOutcome[] {
    const isRefusal = this.#parts.senders.areAllRefused(tried, error);
    if (isCallerMistake(error) && this.#callsEnded === 0) this.#stop(error, error);
    else if (isCallerMistake(error) || isRefusal) this.#fatal ??= error;
    return failed(inputs, error);
  }

  #stop(error: EmailPlatformError | undefined, reasonOfUnsent: EmailPlatformError): void {
    const { inputs } = this.#parts;
    this.#stopped ??= { error };
    void inputs.source.close();
    this.#deliver(notSent(inputs.abandon(), reasonOfUnsent));
    this.#wake();
  }

  #deliver(outcomes: BatchOutcome[]): void {
    if (outcomes.length === 0) return;
    for (const { status, error } of outcomes) {
      this.#tally[status] += 1;
      thrownFrom(this.#parts.site, error);
    }
    this.#ready.push(outcomes);
    this.#report();
    this.#wake();
  }

  #report(): void {
    const { accepted, rejected, not_sent, unknown } = this.#tally;
    const done = accepted + rejected + not_sent + unknown;
    tell(this.#parts.onProgress, () => ({ done, ...this.#tally, calls: this.#callsEnded }));
  }
}

/** What a run is made of, besides its input and its options. */
interface Setting {
  readonly execute: Execute;
  readonly clock: Clock;
  readonly site: CallSite;
  readonly defaults: MailDefaults | undefined;
}

/** Sends any number of emails in as many calls as it takes, and yields one outcome for each. */
export function batchAll(
  setting: Setting,
  source: Source<BatchRequest>,
  options: BatchAllOptions = {},
): BatchRun {
  const stopping = new AbortController();
  const outcomes = outcomesOf(setting, source, options, stopping.signal);
  return Object.assign(outcomes, { stop: () => stopping.abort() });
}

async function* outcomesOf(
  { execute, clock, site, defaults }: Setting,
  source: Source<BatchRequest>,
  allOptions: BatchAllOptions,
  stopping: AbortSignal,
): AsyncGenerator<BatchOutcome, void, undefined> {
  const wanted = new AbortController();
  const { signal } = wanted;
  let run: Run | undefined;
  let inputs: BatchInputs | undefined;
  let stopWatching: (() => void) | undefined;
  try {
    const {
      base,
      concurrency = DEFAULT_CONCURRENCY,
      onProgress,
      ...options
    } = checked(source, allOptions, defaults);
    const end = (reason: unknown) => {
      wanted.abort(reason);
      run?.abort(reason);
    };
    stopWatching = reading(OPERATION, () => clock.onAbort(options.signal, end));
    signal.throwIfAborted();
    const shared = base && (await write(base, 'base', 0, signal));
    signal.throwIfAborted();
    inputs = new BatchInputs(source, base, shared?.bytes ?? 0, signal);
    const senders = new Senders(base);
    run = new Run({ execute, site, inputs, base: shared, senders, options, concurrency, onProgress });
    stopping.addEventListener('abort', () => run?.finish());
    if (!stopping.aborted) yield* run.outcomes();
  } catch (error) {
    // The signal was aborted before the first call.
    throw thrownFrom(site, run === undefined && signal.aborted ? aborted(signal.reason, 'none') : error);
  } finally {
    stopWatching?.();
    wanted.abort();
    run?.leave();
    await inputs?.source.closeInTime(clock);
  }
}

/** A copy of the options, once they are checked, with the complete base. */
const checked = (
  source: Source<BatchRequest>,
  options: BatchAllOptions,
  defaults: MailDefaults | undefined,
): BatchAllOptions =>
  reading(OPERATION, () => {
    const given = tried(() => (isRecord(options) ? (options.base as BatchBase) : undefined), undefined);
    const base = completeBase(given, defaults);
    const issues = batchAllIssues(source, options, base);
    if (issues.length > 0) throw new InvalidRequestError(issues, { operation: OPERATION });
    return { ...options, base };
  });
