import type { Clock } from '../core/clock.ts';
import { AbortedError, InvalidRequestError, TimeoutError } from '../core/errors.ts';
import { tell } from '../core/observers.ts';
import { optionIssues, optionsWith } from '../core/request-options.ts';
import type { Execute, RequestOptions } from '../core/request.ts';
import { durationRule, functionRule, issuesAt, positiveRule } from '../core/rules.ts';
import type { WaitOptions } from '../models/wait-options.ts';
import { Resource } from './resource.ts';

const waitOptions = optionsWith({ pollMs: durationRule, onProgress: functionRule });

/** A resource whose objects become ready by themselves, after some time. */
export abstract class WaitingResource<T> extends Resource {
  readonly #clock: Clock;

  /** @internal */
  constructor(execute: Execute, clock: Clock) {
    super(execute);
    this.#clock = clock;
  }

  abstract get(id: number, options?: RequestOptions): Promise<T>;

  /**
   * Polls an object until it is ready. Polls have low priority unless the options say otherwise.
   *
   * @internal
   */
  protected async waitUntil(
    operation: string,
    isReady: (object: T) => boolean,
    id: number,
    options: WaitOptions<T> = {},
    usualPollMs = 2_000,
  ): Promise<T> {
    const issues = [...issuesAt('id', positiveRule(id)), ...optionIssues(options, waitOptions)];
    if (issues.length > 0) throw new InvalidRequestError(issues, { operation });
    const { pollMs = usualPollMs, onProgress, ...callOptions } = options;
    const { deadlineMs = Infinity, signal } = callOptions;
    const endsAt = this.#clock.now() + deadlineMs;
    const timedOut = () =>
      new TimeoutError(`${operation}: ${id} was not ready within ${deadlineMs} ms`, {
        kind: 'deadline',
        effect: 'none',
      });
    for (;;) {
      const remainingMs = endsAt - this.#clock.now();
      // A timer may fire late, for instance after the machine has slept.
      if (remainingMs <= 0) throw timedOut();
      const object = await this.get(id, {
        priority: 'low',
        ...callOptions,
        ...(deadlineMs !== Infinity && { deadlineMs: remainingMs }),
      });
      tell(onProgress, () => object);
      if (isReady(object)) return object;
      if (this.#clock.now() + pollMs >= endsAt) throw timedOut();
      await this.#clock.sleep(pollMs, signal).catch((cause: unknown) => {
        throw new AbortedError(`${operation} was aborted`, { effect: 'none', cause });
      });
    }
  }
}
