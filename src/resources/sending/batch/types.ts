import type { EmailPlatformError } from '../../../core/error-base.ts';
import type { RecipientRefusedError } from '../../../core/errors.ts';
import type { BatchBase, BatchOptions, BatchRequest } from '../types.ts';

/** An email in the input of `sending.batchAll`, and its position there. */
export interface BatchInput<Input extends BatchRequest = BatchRequest> {
  /** Position of the email in the input, from 0. */
  index: number;
  /** The email, as it was in the input: the same object. */
  request: Input;
}

/** Outcome of an email that the service accepted. */
export interface AcceptedOutcome<Input extends BatchRequest = BatchRequest> extends BatchInput<Input> {
  /** The email is on its way; the email log says what becomes of it. */
  status: 'accepted';
  /** A message id for each recipient, in the order to, cc, bcc; a sandbox returns one for all of them. */
  message_ids: string[];
  /**
   * True if the email was sent before with the same key, or stands in the input twice: it was not sent again, and the ids are
   * those of then.
   */
  replayed?: true | undefined;
  /** Absent: nothing was wrong with the email. */
  errors?: undefined;
  /** Absent: the email's call did not fail. */
  error?: undefined;
}

/**
 * Outcome of an email that the service rejected, or the client's option `recipients`; others of the same call may have been
 * accepted.
 */
export interface RejectedOutcome<Input extends BatchRequest = BatchRequest> extends BatchInput<Input> {
  /** The email has to be corrected: sent again as it is, it would be rejected again. */
  status: 'rejected';
  /** Absent: a rejected email has no ids. */
  message_ids?: undefined;
  /** The reasons for rejecting the email. */
  errors: string[];
  /** Present if the option `recipients` does not allow all of its recipients: the email has not left the client. */
  error?: RecipientRefusedError | undefined;
}

/** Outcome of an email that was certainly not sent, and can safely be sent again. */
export interface NotSentOutcome<Input extends BatchRequest = BatchRequest> extends BatchInput<Input> {
  /** No copy of the email is on its way. */
  status: 'not_sent';
  /** Absent: an email that was not sent has no ids. */
  message_ids?: undefined;
  /** Absent: the service said nothing about this email; see `error`. */
  errors?: undefined;
  /** Why the email's call failed, or was not made. */
  error: EmailPlatformError;
}

/**
 * Outcome of an email that may have been sent: its call failed in flight, or the response does not say what became of
 * it. Sent again, it might arrive twice.
 */
export interface UnknownOutcome<Input extends BatchRequest = BatchRequest> extends BatchInput<Input> {
  /** Look the email up in the email log before sending it again. */
  status: 'unknown';
  /** Absent: any ids were lost with the response. */
  message_ids?: undefined;
  /**
   * Present if it was rejected now, but may have been sent before with its key: the reasons for the rejection. Otherwise
   * absent: they were lost with the response.
   */
  errors?: string[] | undefined;
  /** How the email's call failed, or that its response does not tell. */
  error: EmailPlatformError;
}

/** The outcome of one email passed to `sending.batchAll`; `status` tells which of the other fields are present. */
export type BatchOutcome<Input extends BatchRequest = BatchRequest> =
  AcceptedOutcome<Input> | RejectedOutcome<Input> | NotSentOutcome<Input> | UnknownOutcome<Input>;

/** The outcome of an email that was not accepted. */
export type FailedOutcome<Input extends BatchRequest = BatchRequest> = Exclude<
  BatchOutcome<Input>,
  AcceptedOutcome<Input>
>;

/** The emails of a run, counted by their outcomes. */
export interface BatchCounts {
  /** Emails the service accepted. */
  readonly accepted: number;
  /** Emails the service rejected, or the option `recipients`. */
  readonly rejected: number;
  /** Emails that were certainly not sent. */
  readonly not_sent: number;
  /** Emails that may have been sent, without those that are counted as `in_progress`. */
  readonly unknown: number;
  /**
   * Emails whose key another run or process has in flight, and which were left to it. Their outcomes have the status
   * `unknown` and an {@link IdempotencyError} with the code `in_progress`.
   */
  readonly in_progress: number;
}

/** The totals of an awaited run of `sending.batchAll`. */
export interface BatchTotals<Input extends BatchRequest = BatchRequest> extends BatchCounts {
  /**
   * The outcomes of the first 1 000 emails that are `rejected`, `not_sent` or `unknown`; those beyond are counted only. What
   * is counted as `in_progress` is not among them.
   */
  readonly failed: readonly FailedOutcome<Input>[];
}

/**
 * A run of `sending.batchAll`, which is either iterated or awaited:
 *
 * - `for await (const outcome of run)` yields the outcome of every email.
 * - `await run` runs to the end, and resolves to the totals. It rejects where a loop would throw.
 *
 * Nothing is sent before. Doing both is refused with an {@link InvalidRequestError}. An `async` function that returns a run
 * awaits it.
 */
export interface BatchRun<Input extends BatchRequest = BatchRequest>
  extends AsyncGenerator<BatchOutcome<Input>, void, undefined>, Promise<BatchTotals<Input>> {
  /**
   * Ends the run early, and loses no outcome: nothing more is read or sent, calls in flight are completed, and the loop
   * goes on until it has an outcome for every email that was read; then it ends. What was read but not sent is
   * `not_sent`.
   */
  stop(): void;
}

/** Progress of `sending.batchAll`: outcomes counted, whether or not the loop has received them yet. */
export interface BatchProgress extends BatchCounts {
  /** Emails with an outcome: the sum of the counts. */
  readonly done: number;
  /** Batch calls that have ended. */
  readonly calls: number;
}

/** Options of `sending.batchAll`. Those of a single call, such as `timeoutMs`, apply to each of its batch calls. */
export interface BatchAllOptions<Input extends BatchRequest = BatchRequest> extends BatchOptions {
  /** Fields that all emails share, unless one has its own. A web stream in it is read once, for all calls. */
  readonly base?: BatchBase | undefined;
  /**
   * Number of batch calls in flight at a time.
   * @defaultValue 4
   */
  readonly concurrency?: number | undefined;
  /** Called whenever outcomes have become known. What it throws is ignored. */
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
  /**
   * Makes the key of an email, from the email as it is in the input and its position there. An email is sent once, however
   * often and by however many processes it is sent with its key: see `idempotencyKey` of `sending.send`. An email whose key
   * is in flight or unknown is `unknown`, one whose key belongs to other content is `not_sent`.
   */
  readonly idempotencyKey?: ((request: Input, index: number) => string) | undefined;
}
