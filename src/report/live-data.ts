/** The data of the live page, which asks the control API for changes. */
import type { ReportData } from './data.ts';

/** A fault that waits for its requests, as `faults.list` returns it. */
export interface LiveFault {
  readonly id: number;
  readonly paused: boolean;
  readonly kind: string;
  readonly status?: number;
  readonly times?: number | 'Infinity';
  readonly always?: boolean;
  readonly delayMs?: number;
  readonly match?: {
    readonly method?: string;
    readonly host?: string;
    readonly path?: string | { readonly regexp: string };
  };
}

/** The changes since a cursor. */
export interface LiveData {
  /** The random name of the emulator's run. With another name, all data before is of another emulator. */
  readonly run: string;
  /** The next request names it as `since`. */
  readonly cursor: string;
  /** Whether further changes are there already. */
  readonly more: boolean;
  /**
   * The totals, and the mails, requests and posts that have changed. They are without their contents, which
   * `live/mails/{id}` and `live/requests/{id}` have.
   */
  readonly report: ReportData;
  /** The numbers of the oldest items that the emulator keeps; older ones have left. `null` if it keeps none. */
  readonly oldest: { readonly mails: number | null; readonly requests: number; readonly posts: number };
  /** In milliseconds since the Unix epoch. */
  readonly clock: { readonly now: number; readonly paused: boolean };
  readonly faults: readonly LiveFault[];
  /** The addresses of the inboxes that receive mail. */
  readonly inboxes: readonly string[];
  /** The newest emails that the inboxes have received, newest first. */
  readonly received: readonly ReceivedMail[];
}

/** An email that an inbox has received. */
export interface ReceivedMail {
  readonly id: string;
  readonly subject: string | null;
  readonly from: string;
  readonly to: readonly string[];
  /** On the emulator's clock. */
  readonly at: number;
}

/** What happened between two times of the emulator's clock. */
export interface Due {
  /** The events of mails: `delivery`, `open`, … */
  readonly events: number;
  readonly posts: number;
}
