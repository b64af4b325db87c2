import type { ApiPromise } from '../../core/api-promise.ts';
import { callSite } from '../../core/call-site.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Execute, SentWhile } from '../../core/request.ts';
import type { BatchAllOptions, BatchRun } from './batch/types.ts';
import type {
  BatchOptions,
  BatchParams,
  BatchRequest,
  BatchResult,
  SendOptions,
  SendParams,
  SendResult,
} from './types.ts';
import { EmailLogs } from '../email-logs/email-logs.ts';
import { batchAll } from './batch/batch-all.ts';
import { queryLengthIssues } from '../base/query-length.ts';
import { Resource } from '../base/resource.ts';
import { batchRequest, sendRequest, type SendingSettings } from './requests.ts';
import type { SettleOptions, SettleResult } from '../../core/settle-types.ts';
import { settleUnknown } from './settle-unknown.ts';
import type { Journal } from '../../core/journal.ts';
import type { SearchedLog } from '../../core/sending-journal.ts';

/**
 * Sends emails: one, a batch, or any number of them; on either stream, or into a sandbox.
 *
 * {@link Sending.batchAll} does not throw the errors of single calls, but yields them in outcomes.
 *
 * @example
 * ```ts
 * const { message_ids } = await client.sending.send({
 *   from: 'The Gardeners <hello@mail.example.com>',
 *   to: 'ann@example.org',
 *   subject: 'Your order',
 *   text: 'It is on its way.',
 * });
 * ```
 */
export class Sending extends Resource {
  readonly #settings: SendingSettings;

  /** @internal */
  constructor(
    execute: Execute,
    runtime: Runtime,
    settings: Omit<SendingSettings, 'journal'> = { stream: 'transactional' },
    journal?: Journal,
  ) {
    super(execute, runtime);
    const logs = new EmailLogs(execute, runtime);
    const log: SearchedLog = {
      list: (params, options) => logs.list(params, options),
      takes: (query) => queryLengthIssues(query).length === 0,
    };
    this.#settings = { ...settings, journal: journal?.forSending(log, runtime) };
  }

  /** @internal */
  // oxlint-disable-next-line typescript/unified-signatures -- the package's types leave it out
  send(params: SendParams, options: SendOptions, sentWhile: SentWhile): ApiPromise<SendResult>;
  /**
   * Sends one email, with its own content or a template's. `POST {send}/api/send`, `POST {bulk}/api/send` or
   * `POST {sandbox}/api/send/{inbox}`, depending on option `stream`.
   *
   * Resolves only if the response confirms the email, by `success: true` or by ids. Another 2xx is an error: with
   * `success: false` an {@link ApiError}, otherwise a {@link ResponseFormatError}. Never retried when its outcome is
   * unknown, because the email could arrive twice, unless option `repeatable` allows that.
   *
   * @example
   * ```ts
   * const { message_ids } = await client.sending.send({
   *   from: { email: 'hello@example.com', name: 'Example' },
   *   to: [{ email: 'ann@example.org' }],
   *   subject: 'Welcome',
   *   text: 'Good to have you here.',
   * });
   * ```
   * @throws {@link InvalidRequestError} before anything is sent, {@link BadRequestError} when the service rejects the
   * email, {@link AuthenticationError} (also for a sender whose domain is not verified), {@link PermissionDeniedError},
   * {@link RateLimitError}, {@link ConfigurationError} when the stream's host or the sandbox inbox is not set
   */
  send(params: SendParams, options?: SendOptions): ApiPromise<SendResult>;
  send(params: SendParams, options?: SendOptions, sentWhile?: SentWhile): ApiPromise<SendResult> {
    const requestOf = sendRequest(params, this.#settings);
    if (!sentWhile) return this.execute(requestOf, options);
    return this.execute((context) => {
      const request = requestOf(context);
      return { ...request, mails: { ...request.mails, ...sentWhile } };
    }, options);
  }

  /**
   * Sends up to 500 emails in one call of at most 50 MB. `POST {send}/api/batch`, `POST {bulk}/api/batch` or
   * `POST {sandbox}/api/batch/{inbox}`, depending on option `stream`.
   *
   * The service accepts or rejects each email separately: see `responses`, in the order of `requests`. A 2xx without
   * them is read like that of {@link Sending.send}. Never retried when its outcome is unknown: emails could arrive
   * twice.
   *
   * @throws {@link InvalidRequestError} before a request is sent, for an invalid base, a wrong number of emails, or a
   * value that cannot be JSON; {@link BadRequestError} when the service rejects the batch as a whole; and whatever else
   * {@link Sending.send} throws
   */
  batch(params: BatchParams, options?: BatchOptions): ApiPromise<BatchResult> {
    return this.execute(batchRequest(params, this.#settings.defaults), options);
  }

  /**
   * Sends any number of emails once the run is awaited or iterated, in calls of {@link Sending.batch} of at most 500
   * emails and 50 MB. Awaited, it sends all and resolves to the totals; iterated, it yields one outcome for each email
   * when its call ends. It throws if it is both awaited and iterated: see {@link BatchRun}. The loop's pace limits the
   * reading of the input, so memory use does not grow with its length.
   *
   * When a call fails, its emails are `not_sent` or `unknown`, and the run continues. A 401 or 403 may concern the
   * token or a sender: when the service has refused every sender so far with it, the run stops sending, and the rest of
   * the input is `not_sent`. An email that cannot be serialized as JSON, or is too large for a call, is `not_sent` too.
   *
   * To end a run early without losing an outcome, call its `stop()` and continue the loop to its end: see {@link
   * BatchRun.stop}. Leaving the loop also ends reading and sending, and calls in flight are completed, but their
   * outcomes are lost. Aborting `signal` also ends calls in flight: the loop then yields an outcome for every email
   * that was read, and throws. If the input throws, the emails read before are sent first; then the loop throws the
   * same error.
   *
   * @example
   * ```ts
   * const { accepted, failed } = await client.sending.batchAll(mails, { base });
   *
   * for await (const { index, status, error } of client.sending.batchAll(mails, { base, stream: 'bulk' })) {
   *   if (status !== 'accepted') console.log(index, status, error?.message);
   * }
   * ```
   * @throws {@link InvalidRequestError} or {@link ConfigurationError} when the options are invalid, or the run is both
   * iterated and awaited, {@link AbortedError} when the signal is aborted, and whatever the input throws
   */
  batchAll<Input extends BatchRequest>(
    requests: readonly Input[] | Iterable<Input> | AsyncIterable<Input>,
    options?: BatchAllOptions<Input>,
  ): BatchRun<Input> {
    const all = options as BatchAllOptions | undefined;
    const run = batchAll(this.execute, this.runtime, callSite(), this.#settings, requests, all);
    return run as BatchRun<Input>;
  }

  /**
   * Settles the keys whose outcome is unknown because a process ended or a response was lost. Reads the email log once,
   * from the oldest of these emails on, at the log's rate limit: `GET /api/email_logs`. Keys in the log become
   * accepted, with the ids from the log. The others stay unknown: the log shows emails late.
   *
   * @example
   * ```ts
   * const { accepted, unknown } = await client.sending.settleUnknown();
   * ```
   * @throws {@link ConfigurationError} when the client has no `journal`, {@link JournalError} when that fails, and what
   * {@link EmailLogs.list} throws
   */
  settleUnknown(options?: SettleOptions): Promise<SettleResult> {
    return settleUnknown(this.#settings.journal, callSite(), options);
  }
}
