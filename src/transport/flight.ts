/** A request on its way, from the moment at which it may leave to its response or its failure. */
import { stopwatch } from '../core/steady-time.ts';
import type { Attempt } from './attempt.ts';
import { checkPermit } from './permit.ts';
import type { Answer } from './response.ts';

const WAITING = 'waiting for its response';

export class Flight {
  readonly #attempt: Attempt;
  readonly #controller = new AbortController();
  readonly #elapsedMs: () => number;
  #tooLate: unknown;
  #ended: { readonly cause: unknown } | undefined;
  #doing = 'about to be sent';
  /** The response whose status decides the outcome: an endless body or an abort no longer changes it. */
  #accepted: Answer | undefined;

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
    this.#elapsedMs = stopwatch(attempt.call.config.runtime);
  }

  /** Ends the request and the reading of its response. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The stage of the request, for the message of a timeout. */
  readonly doing = (): string => this.#doing;

  /** The request is given to `fetch`, which may tell when the first byte leaves. Throws if it must not be sent any more. */
  starts(): void {
    this.#doing = 'connecting';
    const { call } = this.#attempt;
    if (this.#ended) throw this.#ended.cause;
    call.check();
    this.#attempt.checkLease();
    checkPermit(this.#attempt);
    call.sent();
    this.#attempt.sent();
  }

  /**
   * The first byte leaves. Throws if no time is left: a process that stopped while it connected runs this before its
   * timers. The lease has not ended then either: it exceeds the timeout by the longest time that an attempt may take
   * before this check.
   */
  readonly leaves = (): void => {
    const { call, request } = this.#attempt;
    try {
      call.check();
      if (this.#elapsedMs() >= request.timeoutMs) throw call.timeoutError('timeout', request.timeoutMs);
      call.leaves();
      this.#doing = WAITING;
    } catch (error) {
      // `fetch` fails with an error of its own.
      this.#tooLate = error;
      throw error;
    }
  };

  /** The first byte may have left: `fetch` does not tell it. */
  mayLeave(): void {
    this.#attempt.call.leaves();
    this.#doing = `connecting, or ${WAITING}`;
  }

  /** The response has arrived; its body may not have. */
  answered(): void {
    this.#doing = WAITING;
  }

  /** The response decides the outcome by its status. */
  accept(answer: Answer): void {
    this.#accepted = answer;
  }

  get accepted(): Answer | undefined {
    return this.#accepted;
  }

  /** Ends the request, and the reading of its response. Returns the cause. */
  end(thrown: unknown): unknown {
    const cause = this.#tooLate ?? thrown;
    this.#ended = { cause };
    this.#controller.abort(cause);
    return cause;
  }
}
