/** The data of the live page, which asks the control API for changes. */
import type { ReportData } from './data.ts';

/** An active fault, as `faults.list` returns it. */
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

/** The state of an emulator, besides the records. */
export interface LiveState {
  /** In milliseconds since the Unix epoch. */
  readonly clock: { readonly now: number; readonly paused: boolean };
  readonly faults: readonly LiveFault[];
  /** The addresses of the inboxes that receive mail. */
  readonly inboxes: readonly string[];
  /** The newest emails that the inboxes have received, newest first. */
  readonly received: readonly ReceivedMail[];
}

/** The changes since a cursor. */
export interface LiveData extends LiveState {
  /** The random id of the emulator's run. A new id means another emulator: the page drops all earlier data. */
  readonly run: string;
  /** The value of `since` for the next request. */
  readonly cursor: string;
  /** Whether the emulator has further changes already. */
  readonly more: boolean;
  /**
   * The totals, and the changed mails, requests and posts without their contents. `live/mails/{id}` and
   * `live/requests/{id}` return the contents.
   */
  readonly report: ReportData;
  /** The numbers of the oldest items that the emulator keeps; it has dropped older ones. `null` if it keeps no mail. */
  readonly oldest: { readonly mails: number | null; readonly requests: number; readonly posts: number };
  /** The ids of the mails that a person has deleted since the cursor. */
  readonly deleted: readonly string[];
}

/** An email that an inbox has received. */
export interface ReceivedMail {
  readonly id: string;
  readonly subject: string | null;
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string | null;
  /** On the emulator's clock. */
  readonly at: number;
}

/** The ids that a search has found. */
export interface Found {
  readonly mails: readonly string[];
  readonly requests: readonly string[];
}

/** The events between two times of the emulator's clock. */
export interface Due {
  /** The events of mails: `delivery`, `open`, … */
  readonly events: number;
  readonly posts: number;
}
