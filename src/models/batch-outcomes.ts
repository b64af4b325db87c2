import type { EmailPlatformError } from '../core/error-base.ts';
import type { BatchBase, BatchRequest, SendOptions } from './sending.ts';

/** Where a mail stands in the input of `sending.batchAll`. */
export interface BatchInput {
  /** Its position in the input, from 0. */
  index: number;
  /** The mail, as the input gave it. */
  request: BatchRequest;
}

/** The service took the mail. */
export interface AcceptedOutcome extends BatchInput {
  /** On its way; what becomes of it stands in the email log. */
  status: 'accepted';
  /** An id for each recipient, in the order to, cc, bcc. */
  message_ids: string[];
  /** Nothing was wrong with it. */
  errors?: undefined;
  /** Its call did not fail. */
  error?: undefined;
}

/** The service refused this mail, and took others of its call. */
export interface RejectedOutcome extends BatchInput {
  /** To be corrected: sent again as it is, it would be refused again. */
  status: 'rejected';
  /** A refused mail has no ids. */
  message_ids?: undefined;
  /** Why, in the service's words. */
  errors: string[];
  /** Its call did not fail. */
  error?: undefined;
}

/** The mail was certainly not sent, and can be sent again. */
export interface NotSentOutcome extends BatchInput {
  /** No copy of it is on its way. */
  status: 'not_sent';
  /** A mail that was not sent has no ids. */
  message_ids?: undefined;
  /** The service said nothing about this mail; see `error`. */
  errors?: undefined;
  /** Why its call failed, or was not made. */
  error: EmailPlatformError;
}

/** The mail may have been sent: its call was under way when it failed. Sent again, it might come twice. */
export interface UnknownOutcome extends BatchInput {
  /** To be looked up in the email log before anything else is done. */
  status: 'unknown';
  /** If it has ids, they were lost with the answer. */
  message_ids?: undefined;
  /** If the service refused it, its words were lost with the answer. */
  errors?: undefined;
  /** How its call failed. */
  error: EmailPlatformError;
}

/** What became of one mail given to `sending.batchAll`; `status` tells which of the other fields there are. */
export type BatchOutcome = AcceptedOutcome | RejectedOutcome | NotSentOutcome | UnknownOutcome;

/** How far `sending.batchAll` has come: outcomes by their status, whether or not the loop has taken them yet. */
export interface BatchProgress {
  /** Mails whose outcome is known: the sum of the four. */
  readonly done: number;
  /** Mails the service took. */
  readonly accepted: number;
  /** Mails the service refused. */
  readonly rejected: number;
  /** Mails that were certainly not sent. */
  readonly not_sent: number;
  /** Mails that may have been sent. */
  readonly unknown: number;
  /** Calls that have ended. */
  readonly calls: number;
}

/** How `sending.batchAll` sends; the other options hold for each of its calls. */
export interface BatchAllOptions extends SendOptions {
  /** What all mails share, unless one has its own. A stream in it is read once, for all calls. */
  readonly base?: BatchBase | undefined;
  /**
   * Calls under way at a time.
   * @defaultValue 4
   */
  readonly concurrency?: number | undefined;
  /** Told whenever a call has ended. One that throws breaks nothing. */
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
}
