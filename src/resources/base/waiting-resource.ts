import { late } from '../../kit/late.ts';
import { callSite } from '../../core/call-site.ts';
import { printable } from '../../core/error-text.ts';
import { thrownFrom } from '../../core/error-base.ts';
import { AbortedError, TimeoutError, type Issue } from '../../core/errors.ts';
import { tell } from '../../core/tried.ts';
import { optionsWith, takenOptions } from '../../core/request-options.ts';
import type { RequestOptions } from '../../core/request.ts';
import { sleep, type Runtime } from '../../core/runtime.ts';
import { stopwatch } from '../../core/steady-time.ts';
import { durationRule, functionRule, issuesAt, idRule } from '../../core/rules.ts';
import type { WaitOptions } from './wait-options.ts';
import { Resource } from './resource.ts';

const DEFAULT_WAIT_MS = 3_600_000;

/** The rule for the options of a wait. */
export const waitOptions = late(() => optionsWith({ pollMs: durationRule, onProgress: functionRule }));

/** The polling of an object or a list. */
export interface Polling<T> {
  readonly operation: string;
  /** Returns the issues of the arguments. */
  readonly check: () => readonly Issue[];
  /** Polls once; each request takes these options, whose deadline is the rest of the wait. */
  readonly poll: (options: RequestOptions) => Promise<T>;
  readonly isReady: (last: T) => boolean;
  /** For the error: the object that is not ready, as the beginning of a sentence. */
  readonly subject: () => string;
  /** For the error: the reason why the last result is not ready. */
  readonly reasonOf: (last: T) => string;
  /** The default milliseconds between two polls. */
  readonly pollMs: number;
}

/** Polls until the result is ready; `isReady` may narrow its type. Polls have low priority by default. */
export async function pollUntil<T, Ready extends T = T>(
  runtime: Runtime,
  polling: Polling<T>,
  options: WaitOptions<T> = {},
): Promise<Ready> {
  const site = callSite();
  const { operation } = polling;
  try {
    const {
      pollMs = polling.pollMs,
      deadlineMs = DEFAULT_WAIT_MS,
      onProgress,
      ...callOptions
    } = takenOptions(operation, options, polling.check, waitOptions());
    const elapsedMs = stopwatch(runtime);
    const pollOptions: RequestOptions = {
      priority: 'low',
      ...callOptions,
      get deadlineMs() {
        return Math.max(1, deadlineMs - elapsedMs());
      },
    };
    let reason = '';
    const timedOut = (cause?: TimeoutError) =>
      new TimeoutError(printable(`${operation}: ${polling.subject()} within ${deadlineMs} ms${reason}`), {
        kind: 'deadline',
        effect: cause?.effect ?? 'none',
        isRetryable: true,
        cause,
      });
    for (;;) {
      // A timer may fire late, for instance after the machine has slept.
      if (elapsedMs() >= deadlineMs) throw timedOut();
      const last = await polling.poll(pollOptions).catch((error: unknown) => {
        throw error instanceof TimeoutError && error.kind === 'deadline' ? timedOut(error) : error;
      });
      tell(onProgress, () => last);
      if (polling.isReady(last)) return last as Ready;
      reason = `; ${polling.reasonOf(last)}`;
      if (elapsedMs() + pollMs >= deadlineMs) throw timedOut();
      await sleep(runtime, pollMs, callOptions.signal).catch((cause: unknown) => {
        throw new AbortedError(`${operation} was aborted`, { effect: 'none', cause });
      });
    }
  } catch (error) {
    throw thrownFrom(site, error);
  }
}

/** A resource whose objects become ready after some time. */
export abstract class WaitingResource<T> extends Resource {
  abstract get(id: number, options?: RequestOptions): Promise<T>;

  /**
   * Polls an object until it is ready; `reasonOf` gives the reason if it is not.
   *
   * @internal
   */
  protected waitUntil(
    operation: string,
    isReady: (object: T) => boolean,
    reasonOf: (object: T) => string,
    id: number,
    options?: WaitOptions<T>,
    pollMs = 2_000,
  ): Promise<T> {
    const polling = {
      operation,
      check: () => issuesAt('id', idRule(id)),
      poll: (pollOptions: RequestOptions) => this.get(id, pollOptions),
      isReady,
      subject: () => `${id} was not ready`,
      reasonOf,
      pollMs,
    };
    return pollUntil(this.runtime, polling, options);
  }
}
