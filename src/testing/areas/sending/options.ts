import type { EmulatorDeliveryTiming } from '../logs/course.ts';

/** How sending behaves where nothing published says how. */
export interface EmulatorSendingOptions extends EmulatorDeliveryTiming {
  /**
   * What the sender gets whose domain is not verified, or is not one the token can access: `unauthorized` (401) or
   * `forbidden` (403). Both are published for it in different places. Default `unauthorized`.
   */
  unverifiedDomain?: 'unauthorized' | 'forbidden';
  /** The largest single mail, in bytes of its request. Default 10 MiB, as a new account has. */
  maxMailBytes?: number;
  /** The largest batch, in bytes of its request. Default 50 MiB. */
  maxBatchBytes?: number;
  /** How many accepted mails `messages()` and the sandbox keep, the newest. Default 1 000 000. */
  keep?: number;
}
