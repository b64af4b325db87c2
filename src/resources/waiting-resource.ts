import { callSite } from '../core/call-site.ts';
import type { Clock } from '../core/clock.ts';
import { thrownFrom } from '../core/error-base.ts';
import { AbortedError, InvalidRequestError, reading, TimeoutError } from '../core/errors.ts';
import { tell } from '../core/observers.ts';
import { optionIssues, optionsWith } from '../core/request-options.ts';
import type { Execute, RequestOptions } from '../core/request.ts';
import { durationRule, functionRule, issuesAt, positiveRule } from '../core/rules.ts';
import type { WaitOptions } from '../models/wait-options.ts';
import { Resource } from './resource.ts';

const DEFAULT_WAIT_MS = 3_600_000;

const waitOptions = optionsWith({ pollMs: durationRule, onProgress: functionRule });

/** A resource whose objects become ready by themselves, after some time. */
export abstract class WaitingResource<T> extends Resource {
  readonly #clock: Clock;

  /** @internal */
  constructor(execute: Execute, clock: Clock) {
    super(execute);
    this.#clock = clock;
  }

  /** @internal */
  protected get clock(): Clock {
    return this.#clock;
  }

  abstract get(id: number, options?: RequestOptions): Promise<T>;

  /**
   * Polls an object until it is ready; `reasonOf` says why one is not. Polls have low priority unless the options say
   * otherwise.
   *
   * @internal
   */
  protected async waitUntil(
    operation: string,
    isReady: (object: T) => boolean,
    reasonOf: (object: T) => string,
    id: number,
    options: WaitOptions<T> = {},
    usualPollMs = 2_000,
  ): Promise<T> {
    const site = callSite();
    const failed = (error: unknown): never => {
      throw thrownFrom(site, error);
    };
    const {
      pollMs = usualPollMs,
      deadlineMs = DEFAULT_WAIT_MS,
      onProgress,
      ...callOptions
    } = reading(operation, () => {
      const issues = [...issuesAt('id', positiveRule(id)), ...optionIssues(options, waitOptions)];
      if (issues.length > 0) throw new InvalidRequestError(issues, { operation });
      return { ...options };
    });
    const endsAt = this.#clock.now() + deadlineMs;
    let reason = '';
    const timedOut = (cause?: TimeoutError) =>
      new TimeoutError(`${operation}: ${id} was not ready within ${deadlineMs} ms${reason}`, {
        kind: 'deadline',
        effect: cause?.effect ?? 'none',
        isRetryable: true,
        cause,
      });
    for (;;) {
      const remainingMs = endsAt - this.#clock.now();
      // A timer may fire late, for instance after the machine has slept.
      if (remainingMs <= 0) failed(timedOut());
      const call = this.get(id, { priority: 'low', ...callOptions, deadlineMs: remainingMs });
      const object = await call.catch((error: unknown) => {
        return failed(error instanceof TimeoutError && error.kind === 'deadline' ? timedOut(error) : error);
      });
      tell(onProgress, () => object);
      if (isReady(object)) return object;
      reason = `; ${reasonOf(object)}`;
      if (this.#clock.now() + pollMs >= endsAt) failed(timedOut());
      await this.#clock.sleep(pollMs, callOptions.signal).catch((cause: unknown) => {
        return failed(new AbortedError(`${operation} was aborted`, { effect: 'none', cause }));
      });
    }
  }
}
