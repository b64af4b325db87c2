import type { CallSite } from '../../core/call-site.ts';
import type { Runtime } from '../../core/runtime.ts';
import { thrownFrom, type Effect, type EmailPlatformError } from '../../core/error-base.ts';
import { AbortedError, unreadable } from '../../core/errors.ts';
import { asyncContext } from '../../core/platform.ts';
import { tried } from '../../core/tried.ts';
import { SourceReader, type Source } from './source-reader.ts';

/** The work on a source. */
export interface Job<Item, Part, Outcome> {
  readonly source: Source<Item>;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
  /** Parts in progress at a time. */
  readonly concurrency: number;
  /** Reads the source, part by part. After a failure, the items read before form the last part. */
  readonly parts: (items: SourceReader<Item>) => AsyncGenerator<Part, void, undefined>;
  /** Sends a part, unless {@link SourceRun.unsent} is set. */
  readonly send: (part: Part, whileWanted: AbortSignal) => Promise<Outcome[]>;
}

/**
 * One run through a source, part by part. It proceeds only while the loop requests outcomes: it then reads and sends
 * until the allowed number of parts is in progress, or has outcomes that the loop has not yet received.
 */
export class SourceRun<Outcome extends { readonly error?: EmailPlatformError | undefined }> {
  /** The reason why the run has stopped sending; undefined while it sends. */
  unsent: EmailPlatformError | undefined;
  readonly #operation: string;
  readonly #runtime: Runtime;
  readonly #site: CallSite;
  /** The run begins when it is iterated or awaited, which may be elsewhere. */
  readonly #inContext = asyncContext();
  readonly #reading = new AbortController();
  /** A controller for each part in progress. */
  readonly #wanted = new Set<AbortController>();
  /** Outcomes that the loop has not yet received, by part. */
  readonly #ready: Outcome[][] = [];
  #isOver = false;
  #isBegun = false;
  /** Whether the run ended before all items were sent. */
  #isCut = false;
  /** The value that the loop then throws: a source may reject with any value, also `undefined`. */
  #failure: { readonly thrown: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(operation: string, runtime: Runtime, site: CallSite) {
    this.#operation = operation;
    this.#runtime = runtime;
    this.#site = site;
  }

  /** Aborted when reading ends. */
  get signal(): AbortSignal {
    return this.#reading.signal;
  }

  /**
   * Ends reading and sending. The loop gets the outcomes of the items read before, and then throws the failure, if any.
   */
  end(unsent: EmailPlatformError, failure?: { readonly thrown: unknown }): void {
    if (this.signal.aborted) return;
    this.unsent ??= unsent;
    this.#failure = failure;
    this.#reading.abort(unsent);
  }

  /** Ends the run, also queued calls and calls that wait for a retry; calls in flight are completed. */
  stop(): void {
    for (const wanted of this.#wanted) wanted.abort();
    this.end(new AbortedError(`${this.#operation} was stopped`, { effect: 'none' }));
  }

  async *outcomes<Item, Part>(
    begin: () => Job<Item, Part, Outcome>,
  ): AsyncGenerator<Outcome, void, undefined> {
    let stopWatching: (() => void) | undefined;
    let items: SourceReader<Item> | undefined;
    try {
      const abort = (cause: unknown) => {
        const aborted = (effect: Effect) =>
          new AbortedError(`${this.#operation} was aborted`, { effect, cause });
        this.end(aborted('none'), { thrown: aborted(this.#isBegun ? 'unknown' : 'none') });
      };
      const job = tried(() => {
        const begun = this.#inContext(begin);
        stopWatching = this.#runtime.onAbort(begun.signal, abort);
        return begun;
      }, unreadable(this.#operation));
      items = new SourceReader(job.source, this.signal);
      const parts = job.parts(items);
      for (;;) {
        while (!this.#isOver && this.#wanted.size + this.#ready.length < job.concurrency)
          void this.#inContext(() => this.#proceed(parts, job));
        const outcomes = this.#ready.shift();
        if (outcomes) yield* outcomes;
        else if (this.#wanted.size === 0) break;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
      if (this.#isCut && this.#failure) throw this.#failure.thrown as Error;
    } catch (error) {
      throw thrownFrom(this.#site, error);
    } finally {
      stopWatching?.();
      this.stop();
      await this.#inContext(() => items?.close(this.#runtime));
    }
  }

  async #proceed<Part>(
    parts: AsyncGenerator<Part, void, undefined>,
    { send }: Pick<Job<unknown, Part, Outcome>, 'send'>,
  ): Promise<void> {
    const wanted = new AbortController();
    this.#wanted.add(wanted);
    let outcomes: Outcome[] = [];
    try {
      const { done, value } = await parts.next();
      if (done) this.#isOver = true;
      else {
        this.#isBegun ||= this.unsent === undefined;
        outcomes = await send(value, wanted.signal);
        // A part in progress at the end of the run counts as unfinished, even if it is the last.
        this.signal.throwIfAborted();
      }
    } catch (error) {
      this.#isCut = true;
      this.end(error as EmailPlatformError, { thrown: error });
    }
    for (const { error } of outcomes) thrownFrom(this.#site, error);
    this.#ready.push(outcomes);
    this.#wanted.delete(wanted);
    this.#wake();
  }
}
