import { emailLogs } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { EmailLogListParams } from './filter-types.ts';
import type { EmailLogMessage, EmailLogMessageDetails, EmailLogPage } from './types.ts';
import { inForm } from '../sandbox/body-form.ts';
import { Resource } from '../base/resource.ts';
import { signedFile } from '../base/signed-file.ts';

/** Options of `emailLogs.downloadRaw`. */
export interface DownloadOptions extends Omit<RequestOptions, 'headers' | 'accountId' | 'priority'> {
  /**
   * Whether to return the whole message as bytes, or a stream. For a stream, `timeoutMs` limits only the time until it
   * begins; `signal` and `deadlineMs` apply until its end. Read it to its end, or cancel it.
   * @defaultValue 'bytes'
   */
  readonly as?: 'bytes' | 'stream' | undefined;
}

/** Refuses a value that is not a text, a URL or a message: its conversion to text might never end. */
function addressOf(messageOrUrl: Pick<EmailLogMessageDetails, 'raw_message_url'> | string | URL): string {
  if (messageOrUrl instanceof URL) return messageOrUrl.href;
  const address: unknown = typeof messageOrUrl === 'string' ? messageOrUrl : messageOrUrl.raw_message_url;
  return typeof address === 'string' ? address : '';
}

/** The log of sent emails and their events. Read-only; limited to sending domains that the token can access. */
export class EmailLogs extends Resource {
  /**
   * Lists messages, newest first; pages are fetched as they are read. `GET /api/email_logs`, or
   * `GET /api/accounts/{account_id}/email_logs` when the call's own options name an account. Counts against the rate
   * limit pool `emailLogsList`.
   *
   * A page's `next_page_cursor`, passed as `search_after`, resumes the list, also in another process; no message is
   * returned twice. The client checks filters first: the service ignores unknown filters and unknown values of `status`,
   * `events` and `sending_stream`, and returns everything. For a value that this version does not know, use
   * `client.request`.
   *
   * @example
   * ```ts
   * const filters = { to: { operator: 'ci_equal', value: 'a@example.com' } } as const;
   * for await (const message of client.emailLogs.list({ filters })) console.log(message.status);
   * ```
   * @throws {@link InvalidRequestError}, {@link BadRequestError}, {@link AuthenticationError}, {@link RateLimitError}
   */
  list(params: EmailLogListParams = {}, options?: RequestOptions): Pager<EmailLogMessage, EmailLogPage> {
    return this.pages(emailLogs().list, {}, options, params);
  }

  /**
   * Returns one message with its events and the signed URL of its raw form. `GET /api/email_logs/{messageId}`, or
   * `GET /api/accounts/{account_id}/email_logs/{messageId}` when the call's own options name an account. Counts against
   * the rate limit pool `emailLogsGet`.
   *
   * @throws {@link InvalidRequestError} when the id is not a UUID, {@link NotFoundError}, {@link AuthenticationError},
   * {@link RateLimitError}
   */
  get(messageId: string, options?: RequestOptions): ApiPromise<EmailLogMessageDetails> {
    return this.call(emailLogs().get, { messageId }, options);
  }

  /**
   * Downloads a raw `.eml` message from its signed URL, by a `GET` without the token or the client's own headers, and
   * follows up to five redirects to `https:` or to this machine; in a browser, `fetch` itself follows them. The bytes are
   * unchanged. Do not trust a file name in the response: it comes from the email's subject.
   *
   * @param messageOrUrl - a message from `get`, or its `raw_message_url`
   * @throws {@link ApiError} when the signed URL has expired (get the message again for a new one), or leads to an
   * address that is not followed (its code is then `redirect_refused`),
   * {@link InvalidRequestError} when the argument is not a URL
   */
  downloadRaw(
    messageOrUrl: Pick<EmailLogMessageDetails, 'raw_message_url'> | string | URL,
    options: DownloadOptions & { readonly as: 'stream' },
  ): ApiPromise<ReadableStream<Uint8Array>>;
  downloadRaw(
    messageOrUrl: Pick<EmailLogMessageDetails, 'raw_message_url'> | string | URL,
    options?: DownloadOptions,
  ): ApiPromise<Uint8Array>;
  downloadRaw(
    messageOrUrl: Pick<EmailLogMessageDetails, 'raw_message_url'> | string | URL,
    options?: DownloadOptions,
  ): ApiPromise<ReadableStream<Uint8Array> | Uint8Array> {
    const url = () => addressOf(messageOrUrl);
    const file = signedFile('emailLogs.downloadRaw', url, 'messageOrUrl', 'a message or a URL');
    return this.execute<ReadableStream<Uint8Array> | Uint8Array>(
      (context) => ({ ...file, ...inForm<'stream' | 'bytes'>(context, 'bytes') }),
      options,
    );
  }
}
