import type { MailboxMail } from './types.ts';

/** An email that came, without its content. */
export interface Arrival {
  /** Identifies it: no other email of the source has the same. */
  readonly key: string | number;
  /** The addresses by which it is found. */
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  /** When it arrived, in milliseconds. */
  readonly at: number;
  /** Reads it; `undefined` if it is gone. */
  readonly read: (signal: AbortSignal) => Promise<MailboxMail | undefined>;
}

/** Which emails a wait is about, as far as a source can leave out others. */
export interface Wanted {
  readonly to: string | undefined;
  readonly after: number | undefined;
}

/** The report of a source after a wait in vain. */
export interface Report {
  /** The emails that are there, the newest last. */
  readonly arrivals: readonly Arrival[];
  /** What else may explain it, in sentences. */
  readonly notes: readonly string[];
  /** Why the source could not be read. */
  readonly cause?: unknown;
}

/** Where a mailbox gets its emails from. */
export interface MailSource {
  /** What the emails are in, in words. */
  readonly name: string;
  /** Tells of emails, of those that are there and of those that come, until the signal is aborted. Rejects if it cannot. */
  follow(wanted: Wanted, tell: (arrival: Arrival) => void, signal: AbortSignal): Promise<void>;
  /** Tells of what has come by now, if `follow` may not have done so yet. */
  look(wanted: Wanted, tell: (arrival: Arrival) => void, signal: AbortSignal): Promise<void>;
  report(): Promise<Report>;
}
