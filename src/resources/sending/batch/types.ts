import type { EmailPlatformError } from '../../../core/error-base.ts';
import type { IdempotencyError, RecipientRefusedError } from '../../../core/errors.ts';
import type { BatchBase, BatchOptions, BatchRequest } from '../types.ts';

/** An email in the input of `sending.batchAll`, and its position there. */
export interface BatchInput<Input extends BatchRequest = BatchRequest> {
  /** Position of the email in the input, from 0. */
  index: number;
  /** The email in the input: the same object. */
  request: Input;
}

/** Outcome of an email that the service accepted. */
export interface AcceptedOutcome<Input extends BatchRequest = BatchRequest> extends BatchInput<Input> {
  /** The service delivers the email; the email log has the result. */
  status: 'accepted';
  /** A message id for each recipient, in the order to, cc, bcc; a sandbox returns one for all of them. */
  message_ids: string[];
  /**
   * True if the email was sent before with the same key, or is in the input twice: it was not sent again, and the ids
   * are those of the first send.
   */
  replayed?: true | undefined;
  /** Absent: nothing was wrong with the email. */
  errors?: undefined;
  /** Absent: the email's call did not fail. */
  error?: undefined;
}

/**
 * Outcome of an email that the service or the client's option `recipients` rejected; others of the same call may be
 * accepted.
 */
export interface RejectedOutcome<Input extends BatchRequest = BatchRequest> extends BatchInput<Input> {
  /** The email has to be corrected: sent again as it is, it would be rejected again. */
  status: 'rejected';
  /** Absent: a rejected email has no ids. */
  message_ids?: undefined;
  /** The reasons for rejecting the email. */
  errors: string[];
  /** Present if the option `recipients` does not allow all of its recipients: the email was not sent. */
  error?: RecipientRefusedError | undefined;
}

/** Outcome of an email that was certainly not sent by this run, and can safely be sent again, with the same key if any. */
export interface NotSentOutcome<Input extends BatchRequest = BatchRequest> extends BatchInput<Input> {
  /** The service has no copy of the email from this run. */
  status: 'not_sent';
  /** Absent: an email that was not sent has no ids. */
  message_ids?: undefined;
  /** Absent: the service sent no reasons for this email; see `error`. */
  errors?: undefined;
  /** The failure of the email's call, or the reason why it was not made. */
  error: EmailPlatformError;
}

/**
 * Outcome of an email whose key belongs to an email with other content: this run did not send it. Sent again with its key,
 * it would end the same way. A correction needs a key of its own.
 */
export interface KeyReusedOutcome<Input extends BatchRequest = BatchRequest> extends BatchInput<Input> {
  /** The key was used before: `error.previous` has the state of the earlier email. */
  status: 'key_reused';
  /** Ids of the earlier email's messages, if it was accepted; otherwise empty. */
  message_ids: string[];
  /** Absent: the service was not asked. */
  errors?: undefined;
  /** The error, with the code `key_reused`. */
  error: IdempotencyError;
}

/**
 * Outcome of an email that may have been sent: its call failed in flight, or the response lacks its outcome. If you
 * send it again, it could arrive twice.
 */
export interface UnknownOutcome<Input extends BatchRequest = BatchRequest> extends BatchInput<Input> {
  /** Look the email up in the email log before sending it again. */
  status: 'unknown';
  /** Absent: ids are lost with the response. */
  message_ids?: undefined;
  /**
   * The reasons for the rejection, if it was rejected now but may have been sent before with its key. Otherwise absent:
   * reasons are lost with the response.
   */
  errors?: string[] | undefined;
  /** The failure of the email's call, or the error that its response lacks the outcome. */
  error: EmailPlatformError;
  /**
   * Milliseconds after which a run with the same key has a later outcome. Present if the key is in flight in another
   * process, or in none because its process has ended; or if the email log cannot yet prove that the email is missing.
   */
  retryAfterMs?: number | undefined;
}

/** The outcome of one email passed to `sending.batchAll`; `status` tells which of the other fields are present. */
export type BatchOutcome<Input extends BatchRequest = BatchRequest> =
  | AcceptedOutcome<Input>
  | RejectedOutcome<Input>
  | NotSentOutcome<Input>
  | KeyReusedOutcome<Input>
  | UnknownOutcome<Input>;

/** The outcome of an email that was not accepted. */
export type FailedOutcome<Input extends BatchRequest = BatchRequest> = Exclude<
  BatchOutcome<Input>,
  AcceptedOutcome<Input>
>;

/** The emails of a run, counted by their outcomes. */
export interface BatchCounts {
  /** Emails the service accepted. */
  readonly accepted: number;
  /** Emails that the service or the option `recipients` rejected. */
  readonly rejected: number;
  /** Emails that this run certainly did not send. */
  readonly not_sent: number;
  /** Emails whose key belongs to an email with other content. This run did not send them. */
  readonly key_reused: number;
  /** Emails that may have been sent, without those in `in_progress`. */
  readonly unknown: number;
  /**
   * Emails whose key is in flight: in another run or process, which sends them, or in a process that has ended. Their
   * outcomes have the status `unknown` and an {@link IdempotencyError} with the code `in_progress`.
   */
  readonly in_progress: number;
}

/** The totals of an awaited run of `sending.batchAll`. */
export interface BatchTotals<Input extends BatchRequest = BatchRequest> extends BatchCounts {
  /**
   * Emails in `accepted` that this run did not send: their keys had been accepted before, or they are in the input twice.
   */
  readonly replayed: number;
  /**
   * The outcomes of the first 1 000 emails that were not accepted; further ones are only counted. Does not contain emails
   * that another run in this process is sending.
   */
  readonly failed: readonly FailedOutcome<Input>[];
  /**
   * The longest `retryAfterMs` of the outcomes: after it, run the same input again. Undefined if no outcome has one.
   */
  readonly retryAfterMs?: number | undefined;
}

/**
 * A run of `sending.batchAll`, to iterate or to await:
 *
 * - `for await (const outcome of run)` yields the outcome of every email.
 * - `await run` runs to the end, and resolves to the totals. It rejects with the error that a loop would throw.
 *
 * The first use starts it. Iterating and awaiting the same run throws an {@link InvalidRequestError}. An `async`
 * function that returns a run awaits it.
 */
export interface BatchRun<Input extends BatchRequest = BatchRequest>
  extends AsyncGenerator<BatchOutcome<Input>, void, undefined>, Promise<BatchTotals<Input>> {
  /**
   * Ends the run early without losing an outcome: reading and sending stop, calls in flight are completed, and the loop
   * continues until it has an outcome for every email that was read. Emails that were read but not sent are `not_sent`.
   */
  stop(): void;
}

/** Progress of `sending.batchAll`: the counts of all outcomes, including those that the loop has not yet received. */
export interface BatchProgress extends BatchCounts {
  /** Emails with an outcome: the sum of the counts. */
  readonly done: number;
  /** Batch calls that have ended. */
  readonly calls: number;
}

/** Options of `sending.batchAll`. Options of a single call, such as `timeoutMs`, apply to each of its batch calls. */
export interface BatchAllOptions<Input extends BatchRequest = BatchRequest> extends BatchOptions {
  /** Fields that all emails share, unless one has its own. A web stream in it is read once, for all calls. */
  readonly base?: BatchBase | undefined;
  /**
   * Number of batch calls in flight at a time.
   * @defaultValue 4
   */
  readonly concurrency?: number | undefined;
  /** Called after new outcomes. An error that it throws is ignored. */
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
  /** Its abort ends the run: calls in flight end, and nothing more is sent. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for each batch call: attempts, waits and time in the queue. The client's `deadlineMs` by default. */
  readonly deadlineMs?: number | undefined;
  /**
   * Returns the key of an email, from the email in the input and its position: `idempotencyKey` of `sending.send` says
   * what a key does and needs. The outcome of an email whose key is in flight outside this run is `unknown`, as is one
   * whose lost outcome the email log does not settle; the totals count those in flight as `in_progress`. The outcome of
   * an email whose key belongs to other content is `key_reused`.
   */
  readonly idempotencyKey?: (request: Input, index: number) => string;
}
