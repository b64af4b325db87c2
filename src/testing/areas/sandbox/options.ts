import { oneOf, positive, positiveOrInfinity } from '../../checks/kind.ts';
import { limit, type EmulatorLimit } from '../../limiter.ts';
import { option, type Options, type Settings } from '../../option.ts';

/** The behavior of test inboxes where it is not published. */
export interface EmulatorSandboxOptions {
  /**
   * How many requests to send each test inbox accepts, as a plan may limit them, for example in 10 seconds. More get a
   * 429. By default, there is no limit.
   */
  limit?: EmulatorLimit;
  /**
   * How many projects an account can have. A further one is refused with 422.
   * @defaultValue Infinity
   */
  maxProjects?: number;
  /**
   * How many test inboxes an account can have, as a plan limits them. A further one is refused with 422.
   * @defaultValue Infinity
   */
  maxInboxes?: number;
  /**
   * How many messages a test inbox keeps. The oldest are deleted first.
   * @defaultValue 10_000
   */
  maxSize?: number;
  /**
   * The response if a message does not have the part that is requested: `conflict` (409), as the public reference says,
   * or `not-found` (404).
   * @defaultValue 'conflict'
   */
  missingPart?: 'conflict' | 'not-found';
  /**
   * What a message says of blacklists: `report` is an object, as recorded; `none` is `false`, as published clients of the
   * service expect at times.
   * @defaultValue 'report'
   */
  blacklistReport?: 'report' | 'none';
}

export type SandboxSettings = Settings<EmulatorSandboxOptions, 'limit'>;

export const sandboxOptions: Options<EmulatorSandboxOptions, 'limit'> = {
  limit: option(limit, undefined, 'depends on the plan'),
  maxProjects: option(positiveOrInfinity, Infinity, 'depends on the plan'),
  maxInboxes: option(positiveOrInfinity, Infinity, 'depends on the plan'),
  maxSize: option(positive, 10_000, 'not published'),
  missingPart: option(oneOf(['conflict', 'not-found']), 'conflict', 'the public reference'),
  blacklistReport: option(oneOf(['report', 'none']), 'report', 'recorded'),
};
