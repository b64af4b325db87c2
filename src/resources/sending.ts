import type { ApiPromise } from '../core/api-promise.ts';
import type { Execute } from '../core/request.ts';
import type { BatchAllOptions, BatchOutcome } from '../models/batch-outcomes.ts';
import type {
  BatchParams,
  BatchRequest,
  BatchResult,
  SendOptions,
  SendParams,
  SendResult,
} from '../models/sending.ts';
import { batchAll } from './batch-all.ts';
import { batchRequest, sendRequest } from './send-requests.ts';

/** Sending mails: one, many in a call, or any number of them; on either stream, or into a sandbox. */
export class Sending {
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /**
   * Sends one mail, with words of its own or from a template. `POST {send}/api/send`, `POST {bulk}/api/send`, or
   * `POST {sandbox}/api/send/{inbox}`, as option `stream` says. The specification shows some of the fields; the others,
   * their bounds, the answer, and the sandbox's path are taken from the public reference.
   *
   * Never repeated when its outcome is unknown: the mail might come twice. A 2xx is a success, even if the ids in its
   * answer cannot be read.
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
   * @throws {@link InvalidRequestError} before a request is spent, {@link BadRequestError} for what the service refuses,
   * {@link AuthenticationError} (also for a sender whose domain is not verified), {@link PermissionDeniedError},
   * {@link RateLimitError}; {@link ConfigurationError} when the stream's host, or the sandbox's inbox, is not known
   */
  send(params: SendParams, options?: SendOptions): ApiPromise<SendResult> {
    return this.#execute(sendRequest(params, options), options);
  }

  /**
   * Sends up to 500 mails in one call of at most 50 MB. `POST {send}/api/batch`, `POST {bulk}/api/batch`, or
   * `POST {sandbox}/api/batch/{inbox}`; request and answer are taken from the public reference.
   *
   * The service judges each mail by itself: `responses` tells, in the order of `requests`, which were accepted. A 2xx
   * whose body cannot be read was accepted as a whole, and has no `responses`. Never repeated when its outcome is
   * unknown.
   *
   * @throws {@link InvalidRequestError} before a request is spent: for the base, for the number of mails, for what cannot
   * be JSON; {@link BadRequestError} when the batch as a whole is refused, and the others of {@link Sending.send}
   */
  batch(params: BatchParams, options?: SendOptions): ApiPromise<BatchResult> {
    return this.#execute(batchRequest(params, options), options);
  }

  /**
   * Sends any number of mails, in calls of {@link Sending.batch} of at most 500 mails and 50 MB, and yields one outcome
   * for each as its call ends. The input is read only as fast as outcomes are taken, so that memory does not grow with it.
   *
   * A call that fails marks its mails `not_sent` or `unknown`, and the run goes on. After a 401 or 403, which every
   * further call would get as well, nothing more is sent: the rest is `not_sent`. Mails that cannot be written as JSON, or
   * are too large for any call, are `not_sent` by themselves.
   *
   * Leaving the loop reads and sends no more; calls under way go on to their end. Option `signal` ends them as well: the
   * loop then yields what is known of every mail that was read, and throws. So it does when the input throws: what was
   * read before is sent first.
   *
   * @example
   * ```ts
   * for await (const { index, status, error } of client.sending.batchAll(mails, { base, stream: 'bulk' })) {
   *   if (status !== 'accepted') console.log(index, status, error?.message);
   * }
   * ```
   * @throws {@link InvalidRequestError} or {@link ConfigurationError} when no call can be made as the options are,
   * {@link AbortedError} when the signal ends the run, and whatever the input throws
   */
  batchAll(
    requests: Iterable<BatchRequest> | AsyncIterable<BatchRequest>,
    options?: BatchAllOptions,
  ): AsyncGenerator<BatchOutcome, void, undefined> {
    return batchAll(this.#execute, requests, options);
  }
}
