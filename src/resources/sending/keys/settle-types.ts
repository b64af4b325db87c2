import type { RequestOptions } from '../../../core/request.ts';

/** Progress of `sending.settleUnknown`. */
export interface SettleProgress {
  /** Messages of the email log that have been read. */
  readonly read: number;
  /** Keys that were unknown at the start. */
  readonly open: number;
  /** Keys that were found in the log. */
  readonly accepted: number;
}

/** Options of `sending.settleUnknown`. Those of a single call apply to each page of the log; `accountId` says whose log. */
export interface SettleOptions extends RequestOptions {
  /** Called after each page of the log. What it throws is ignored. */
  readonly onProgress?: ((progress: SettleProgress) => void) | undefined;
}

/** A key whose email was found in the log. */
export interface SettledKey {
  /** The key. */
  key: string;
  /** Ids of its messages. */
  message_ids: string[];
}

/** The result of `sending.settleUnknown`. */
export interface SettleResult {
  /** Keys whose emails the log has: they are accepted now. */
  accepted: SettledKey[];
  /** Keys whose emails the log does not have, or not yet; and those of emails in a sandbox, which it never has. */
  unknown: string[];
}
