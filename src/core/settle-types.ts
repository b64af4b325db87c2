import type { RequestOptions } from './request.ts';

/** Progress of `sending.settleUnknown`. */
export interface SettleProgress {
  /** Messages of the email log that have been read. */
  readonly read: number;
  /** Keys that were unknown at the start. */
  readonly open: number;
  /** Keys that were found in the log. */
  readonly accepted: number;
}

/**
 * Options of `sending.settleUnknown`. Options of a single call apply to each page of the log; `accountId` selects the
 * account of the log.
 */
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
  /** Keys whose emails are in the log: they are accepted now. */
  accepted: SettledKey[];
  /**
   * Keys whose emails are not in the log, or not yet; and keys of emails in a sandbox, which the log never contains.
   */
  unknown: string[];
}
