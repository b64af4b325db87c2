import type { Stream } from '../../core/request.ts';
import type { Contact } from '../../resources/contacts/types.ts';
import type { EmailLogEvent } from '../../resources/email-logs/event-types.ts';
import type { EmailLogMessageDetails } from '../../resources/email-logs/types.ts';
import type { Suppression, TrackingOptOut } from '../../resources/suppressions/types.ts';
import type { DiagnosedPart } from './part.ts';

/** Options of `whyNoMail`. */
export interface WhyNoMailOptions {
  /**
   * Number of days of the log to read.
   *
   * @defaultValue 30
   */
  readonly days?: number | undefined;
  /**
   * The sender's address, or its domain. Without it, the result is about every sender that is found: the client's
   * default sender, the senders of the newest emails to the address, and the domains of the account.
   */
  readonly from?: string | undefined;
  /** The stream. Default: the client's stream. */
  readonly stream?: Stream | undefined;
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A record that blocks email to an address. `blocks` says whether it does so for this sender and stream. */
export type NoMailReason =
  | {
      /** The address is suppressed. */
      readonly kind: 'suppression';
      /** Whether it blocks email of the sender and stream to the address. */
      readonly blocks: boolean;
      /** The suppression. */
      readonly suppression: Suppression;
    }
  | {
      /** The sending domain is not verified, or does not belong to the account that the token can see. */
      readonly kind: 'domain';
      /** It blocks email to the address. */
      readonly blocks: true;
      /** Whether the domain is unverified, or missing from the account. */
      readonly state: 'unverified' | 'missing';
    }
  | {
      /** The client's option `recipients` refuses the address, or sends its email to another one. */
      readonly kind: 'recipients';
      /** It blocks email to the address. */
      readonly blocks: true;
      /** The guard's decision about an email. */
      readonly outcome: 'refused' | 'redirected';
    }
  | {
      /** The stream is the sandbox, which captures emails. */
      readonly kind: 'sandbox';
      /** It blocks email to the address. */
      readonly blocks: true;
    };

/** An email of the log with its events, without the signed URL of its raw message. */
export type LoggedMail = Omit<EmailLogMessageDetails, 'raw_message_url'>;

/** The contact with the address, and the names of its lists. */
export interface DiagnosedContact extends Contact {
  /** Names of its lists; undefined if the token may not read them. */
  readonly lists: readonly string[] | undefined;
}

/** The newest email of a sender to the address, and the last thing that happened to it, opens and clicks aside. */
export interface NewestMail {
  /** Id of the message. */
  readonly message_id: string;
  /** When it was sent, as an ISO 8601 date-time. */
  readonly sent_at: string;
  /** Whether it arrived; `pending` while the log does not tell. */
  readonly state: 'delivered' | 'failed' | 'pending';
  /** The last event; undefined if the log has none. */
  readonly event: EmailLogEvent | undefined;
}

/** Whether email of a sender and stream reaches the address. */
export interface SenderVerdict {
  /** Domain of the sender. */
  readonly domain: string;
  /** The stream. */
  readonly stream: Stream;
  /**
   * Whether email of this sender and stream reaches the address: true if no record blocks it, null if a part that may
   * block it is in `unreadable`. The records do not have everything: a soft bounce does not block, and a service that
   * rejects or suspends emails leaves no record. Read it together with `newest`.
   */
  readonly reachable: boolean | null;
  /**
   * All records that block email to the address, also email of other senders and streams. The blocking reasons come
   * first.
   */
  readonly reasons: readonly NoMailReason[];
  /** The newest email of the sender and stream to the address; undefined if `mails` has none. */
  readonly newest: NewestMail | undefined;
}

/** The result of `whyNoMail`: the verdict about the sender, and all records about the address. */
export interface WhyNoMail extends SenderVerdict {
  /** The address. */
  readonly email: string;
  /** The verdicts about the other senders that were found; empty with `from`. */
  readonly others: readonly SenderVerdict[];
  /**
   * The newest emails to the address with their events, at most ten; undefined if the token may not read the log. The
   * log is late: it may not have an email or an event of the last minutes yet.
   */
  readonly mails: readonly LoggedMail[] | undefined;
  /** Whether the log has further emails of these days. */
  readonly hasMoreMails: boolean;
  /**
   * The contact; null if there is none, undefined if the token may not read contacts. Its status applies only to
   * campaigns.
   */
  readonly contact: DiagnosedContact | null | undefined;
  /**
   * Opt-outs of the address, which disable the tracking of its opens and clicks. Undefined if the token may not read
   * them.
   */
  readonly trackingOptOuts: readonly TrackingOptOut[] | undefined;
  /** The parts that the token may not read. */
  readonly unreadable: readonly DiagnosedPart[];
}
