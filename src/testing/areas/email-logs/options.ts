import { duration, oneOf, positive, positiveOrInfinity } from '../../checks/kind.ts';
import { option, type Options, type Settings } from '../../option.ts';

/** The behavior of email logs where it is not published. */
export interface EmulatorLogOptions {
  /**
   * The number of messages on a page of the list.
   * @defaultValue 100
   */
  pageSize?: number;
  /**
   * What happens to a `sent_after` or `sent_before` that is not an ISO 8601 date: `ignore` drops the filter, as for any
   * other invalid filter; `refuse` responds with 400.
   * @defaultValue 'ignore'
   */
  unreadableDates?: 'ignore' | 'refuse';
  /**
   * What happens to a `search_after` that is not the id of a message in the account: `refuse` responds with 400;
   * `first-page` returns the first page.
   * @defaultValue 'refuse'
   */
  unknownCursor?: 'refuse' | 'first-page';
  /**
   * How long a link to a raw message is valid, in milliseconds.
   * @defaultValue 3_600_000
   */
  rawUrlMs?: number;
  /**
   * How long it takes at most until the log has a message, in milliseconds after it was accepted. Each message takes a
   * part of that, which follows from its id. Until then it is neither in the list nor found by its id.
   * @defaultValue 0
   */
  shownWithinMs?: number;
  /**
   * How many messages the log of an account keeps. The oldest are dropped first.
   * @defaultValue 1_000_000
   */
  keep?: number;
}

export type LogSettings = Settings<EmulatorLogOptions>;

export const logOptions: Options<EmulatorLogOptions> = {
  pageSize: option(positive, 100, 'not published, and no parameter sets it'),
  unreadableDates: option(
    oneOf(['ignore', 'refuse']),
    'ignore',
    'specified of filters that are invalid; not of dates in particular',
  ),
  unknownCursor: option(oneOf(['refuse', 'first-page']), 'refuse', 'the public reference has a 400 for it'),
  rawUrlMs: option(duration, 3_600_000, 'not published'),
  shownWithinMs: option(duration, 0, 'not published'),
  keep: option(positiveOrInfinity, 1_000_000, 'a bound for an emulator that runs for days'),
};
