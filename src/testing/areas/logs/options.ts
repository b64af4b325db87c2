/** How email logs behave where nothing published says how. */
export interface EmulatorLogOptions {
  /** Messages on a page of the list. Default 100. */
  pageSize?: number;
  /**
   * What a `sent_after` or `sent_before` that is no ISO 8601 date comes to: `ignore`, as every filter that is invalid,
   * or `refuse` with 400. Default `ignore`.
   */
  unreadableDates?: 'ignore' | 'refuse';
  /**
   * What a `search_after` comes to that names no message of the account: `refuse` with 400, or `first-page`, as if it
   * were not there. Default `refuse`.
   */
  unknownCursor?: 'refuse' | 'first-page';
  /** How long a link to a raw message is good, in milliseconds. Default one hour. */
  rawUrlMs?: number;
  /** How many messages an account's log keeps, the newest. Default 1 000 000. */
  keep?: number;
}

/** The same, with its defaults. */
export type LogOptions = Readonly<Required<EmulatorLogOptions>>;

export const logDefaults: LogOptions = {
  pageSize: 100,
  unreadableDates: 'ignore',
  unknownCursor: 'refuse',
  rawUrlMs: 3_600_000,
  keep: 1_000_000,
};
