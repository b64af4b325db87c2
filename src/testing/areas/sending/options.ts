import { duration, oneOf, positiveOrInfinity } from '../../checks/kind.ts';
import { option, type Options, type Settings } from '../../option.ts';
import type { EmulatorDeliveryTiming } from '../email-logs/course.ts';

/** The behavior of sending where it is not published. */
export interface EmulatorSendingOptions extends EmulatorDeliveryTiming {
  /**
   * The response if the sender's domain is not verified, or if the token has no access to it: `unauthorized` (401) or
   * `forbidden` (403). Different sources publish different ones.
   * @defaultValue 'unauthorized'
   */
  unverifiedDomain?: 'unauthorized' | 'forbidden';
  /**
   * The largest request for a single email, in bytes. The default is 10 MiB, the limit of a new account.
   * @defaultValue 10_485_760
   */
  maxMailBytes?: number;
  /**
   * The largest request for a batch, in bytes. The default is 50 MiB. No request may be larger than 60 MiB.
   * @defaultValue 52_428_800
   */
  maxBatchBytes?: number;
  /**
   * How many accepted emails `messages()` and the sandbox keep. The oldest are dropped first.
   * @defaultValue 1_000_000
   */
  keep?: number;
}

export type SendingSettings = Settings<EmulatorSendingOptions>;

export const sendingOptions: Options<EmulatorSendingOptions> = {
  deliverMs: option(duration, 1000, 'not published; long enough to see a message that is still enqueued'),
  openMs: option(duration, 60_000, 'up to the reader'),
  clickMs: option(duration, 120_000, 'up to the reader'),
  unverifiedDomain: option(oneOf(['unauthorized', 'forbidden']), 'unauthorized', 'recorded'),
  maxMailBytes: option(
    positiveOrInfinity,
    10 * 1024 ** 2,
    'the limit of a new account in the public reference',
  ),
  maxBatchBytes: option(positiveOrInfinity, 50 * 1024 ** 2, 'specified'),
  keep: option(positiveOrInfinity, 1_000_000, 'a bound for an emulator that runs for days'),
};
