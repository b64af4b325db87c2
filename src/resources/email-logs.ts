import type { ApiPromise } from '../core/api-promise.ts';
import { oneOf } from '../core/rules.ts';
import type { PageBody, Pager } from '../core/pager.ts';
import { optionsWith } from '../core/request-options.ts';
import type { RequestOptions } from '../core/request.ts';
import type { EmailLogListParams } from '../models/email-log-filters.ts';
import { filterQuery } from '../models/email-log-query.ts';
import { emailLogListIssues } from '../models/email-logs-checks.ts';
import type { EmailLogMessage, EmailLogMessageDetails, EmailLogPage } from '../models/email-logs.ts';
import { bareObject, type PageReader } from './readers.ts';
import { Resource } from './resource.ts';
import { signedFile } from './signed-file.ts';

const message = { result: bareObject<EmailLogMessageDetails>(), schema: 'emailLogMessageDetails' as const };

/** The cursor is the last message read: messages sent in the meantime come before it, so that nothing shifts. */
const messages: PageReader<EmailLogMessage, EmailLogPage> = {
  result: bareObject<PageBody<EmailLogPage>>((body) => Array.isArray(body.messages)),
  schema: 'emailLogPage' as const,
  items: (body) => body.messages,
  next: ({ next_page_cursor }) => (next_page_cursor ? { search_after: next_page_cursor } : undefined),
};

/** Only a call that names an account itself uses the account form: the two forms name the domain differently. */
const isUnderAccount = (options: RequestOptions | undefined) => options?.accountId !== undefined;
const logs = (options: RequestOptions | undefined) =>
  isUnderAccount(options) ? '{account}/email_logs' : '/api/email_logs';

/** Options of `emailLogs.downloadRaw`. */
export interface DownloadOptions extends Omit<RequestOptions, 'headers' | 'accountId' | 'priority'> {
  /**
   * Whether to return the whole message as bytes, or a stream. For a stream, `timeoutMs` limits only the time until it
   * begins.
   * @defaultValue 'bytes'
   */
  readonly as?: 'bytes' | 'stream' | undefined;
}

const downloadOptions = optionsWith({ as: oneOf(['bytes', 'stream']) });

/**
 * The log of sent emails and their events. Read-only; limited to sending domains that the token can access.
 *
 * Every method may also throw {@link InvalidRequestError}, {@link ConnectionError}, {@link TimeoutError},
 * {@link AbortedError}, {@link ServerError}, {@link ResponseFormatError} or {@link ConfigurationError}.
 */
export class EmailLogs extends Resource {
  /**
   * Lists messages, newest first; pages are fetched as they are read. `GET /api/email_logs`, or
   * `GET /api/accounts/{account_id}/email_logs` when the call's own options name an account. Counts against the rate
   * limit pool `emailLogsList`.
   *
   * A page's `next_page_cursor`, passed as `search_after`, resumes the list, in another process too; no message is
   * returned twice. Filters are checked before anything is sent: the service ignores those it does not know and returns
   * everything.
   *
   * @example
   * ```ts
   * const filters = { to: { operator: 'ci_equal', value: 'a@example.com' } } as const;
   * for await (const message of client.emailLogs.list({ filters })) console.log(message.status);
   * ```
   * @throws {@link InvalidRequestError}, {@link BadRequestError}, {@link AuthenticationError}, {@link RateLimitError}
   */
  list(params: EmailLogListParams = {}, options?: RequestOptions): Pager<EmailLogMessage, EmailLogPage> {
    // What is not an object is refused by the check.
    const { filters, search_after } = Object(params) as EmailLogListParams;
    return this.pages('emailLogs.list', `GET ${logs(options)}`, {}, messages, options, {
      query: { filters: filterQuery(filters ?? {}, isUnderAccount(options)), search_after },
      check: () => emailLogListIssues(params),
    });
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
    const endpoint = `GET ${logs(options)}/{messageId:uuid}` as const;
    return this.call('emailLogs.get', endpoint, { messageId }, message, options);
  }

  /**
   * Downloads a raw `.eml` message from its signed URL, by a `GET` without the token or the client's own headers. The
   * bytes are unchanged. Do not trust a file name in the response: it comes from the email's subject.
   *
   * @param messageOrUrl - a message from `get`, or its `raw_message_url`
   * @throws {@link ApiError} when the signed URL has expired (get the message again for a new one),
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
    const url = String(
      typeof messageOrUrl === 'string' || messageOrUrl instanceof URL
        ? messageOrUrl
        : (messageOrUrl as Partial<EmailLogMessageDetails> | null)?.raw_message_url,
    );
    return this.execute<ReadableStream<Uint8Array> | Uint8Array>(
      {
        ...signedFile('emailLogs.downloadRaw', url, 'messageOrUrl', 'a message from emailLogs.get, or a URL'),
        optionsRule: downloadOptions,
        result: options?.as === 'stream' ? { kind: 'stream' } : { kind: 'bytes' },
      },
      options,
    );
  }
}
