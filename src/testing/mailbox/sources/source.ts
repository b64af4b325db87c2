/** Where a mailbox finds its emails. May import `emulator` and `reading`. */
import type { MailboxMail } from '../../reading/message/message-types.ts';

/** An email that arrived, without its content. */
export interface Arrival {
  /** The key of the email, unique in the source. */
  readonly key: string | number;
  /** The addresses for the filter `to`. */
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  /** The time of arrival, in milliseconds. */
  readonly at: number;
  /** Reads the email; `undefined` if it no longer exists. */
  readonly read: (signal: AbortSignal) => Promise<MailboxMail | undefined>;
}

/** The part of a filter that a source can apply itself. */
export interface Wanted {
  readonly to: string | undefined;
  readonly after: number | undefined;
}

/** The report of a source after a wait without an email. */
export interface Report {
  /** The emails of the source, the newest last. */
  readonly arrivals: readonly Arrival[];
  /** Other possible explanations, in sentences. */
  readonly notes: readonly string[];
  /** The error of reading the source. */
  readonly cause?: unknown;
}

/** A source of emails for a mailbox. */
export interface MailSource {
  /** The name of the source in messages. */
  readonly name: string;
  /** How long to wait for an email, in milliseconds, unless the caller says otherwise. */
  readonly waitMs: number;
  /** Passes existing and new emails to `tell` until the signal is aborted. Rejects if it cannot read the source. */
  follow(wanted: Wanted, tell: (arrival: Arrival) => void, signal: AbortSignal): Promise<void>;
  /** Passes the emails up to now that `follow` may not have passed yet. */
  look(wanted: Wanted, tell: (arrival: Arrival) => void, signal: AbortSignal): Promise<void>;
  report(): Promise<Report>;
}
