import type { EmulatorDeliveryTiming } from '../logs/course.ts';

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
