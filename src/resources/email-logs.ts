import type { ApiPromise } from '../core/api-promise.ts';
import { issuesAt, oneOf } from '../core/rules.ts';
import { Pager, type PageBody, type PageStrategy } from '../core/pager.ts';
import { optionsWith } from '../core/request-options.ts';
import { isRecord } from '../core/record.ts';
import type { Execute, RequestOptions, ResultReader } from '../core/request.ts';
import { uuidIssues } from '../models/check.ts';
import { emailLogListIssues, filterQuery, type EmailLogListParams } from '../models/email-log-filters.ts';
import {
  emailLogAnswer,
  emailLogListAnswer,
  type EmailLogMessage,
  type EmailLogMessageDetails,
  type EmailLogPage,
} from '../models/email-logs.ts';
import { copyOf } from '../core/copy.ts';
import { bareObject } from './results.ts';

const listResult: ResultReader<PageBody<EmailLogPage>> = {
  kind: 'json',
  unwrap: (body) =>
    isRecord(body) && Array.isArray(body.messages) ? (body as unknown as PageBody<EmailLogPage>) : undefined,
};

/** A cursor is the last message read: what is sent meanwhile comes before it, so that nothing shifts. */
const byCursor: PageStrategy<EmailLogMessage, PageBody<EmailLogPage>> = {
  operation: 'emailLogs.list',
  items: (body) => body.messages,
  next: ({ next_page_cursor }) => (next_page_cursor ? { search_after: next_page_cursor } : undefined),
};

/** Only a call that names an account itself is sent under it: the two forms name the domain differently. */
const pathOf = (options: RequestOptions | undefined, rest = '') =>
  options?.accountId === undefined
    ? `/api/email_logs${rest}`
    : `/api/accounts/${options.accountId}/email_logs${rest}`;

/** How `emailLogs.downloadRaw` gives the message. */
export interface DownloadOptions extends Omit<RequestOptions, 'headers' | 'accountId' | 'priority'> {
  /**
   * All of it at once, or as it comes. `timeoutMs` then bounds the wait for its beginning.
   * @defaultValue 'bytes'
   */
  readonly as?: 'bytes' | 'stream' | undefined;
}

const downloadOptions = optionsWith({ as: oneOf(['bytes', 'stream']) });

/** The log of mails sent, with what happened to each. Read only; limited to domains the token can access. */
export class EmailLogs {
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /**
   * Lists messages, newest first; pages are fetched as they are read. `GET /api/email_logs`, or
   * `GET /api/accounts/{account_id}/email_logs` when the call's own options name an account. Pool `emailLogsList`.
   *
   * A page's `next_page_cursor`, passed as `search_after`, resumes the list in another process; no message comes twice.
   * Filters are checked here: the service ignores those it does not know and answers with everything.
   *
   * @example
   * ```ts
   * const filters = { to: { operator: 'ci_equal', value: 'a@example.com' } } as const;
   * for await (const message of client.emailLogs.list({ filters })) console.log(message.status);
   * ```
   * @throws {@link InvalidRequestError}, {@link BadRequestError}, {@link AuthenticationError}, {@link RateLimitError}
   */
  list(params: EmailLogListParams = {}, options?: RequestOptions): Pager<EmailLogMessage, EmailLogPage> {
    // What is no object is refused by its check.
    const given = copyOf(params) as EmailLogListParams | null;
    return new Pager<EmailLogMessage, EmailLogPage>((page) => {
      const isUnderAccount = options?.accountId !== undefined;
      return this.#execute(
        () => ({
          operation: 'emailLogs.list',
          method: 'GET',
          host: 'api',
          path: pathOf(options),
          query: {
            filters: filterQuery(given?.filters ?? {}, isUnderAccount),
            search_after: given?.search_after,
            ...page,
          },
          check: () => emailLogListIssues(given),
          isRepeatable: true,
          result: listResult,
          schema: emailLogListAnswer,
        }),
        options,
      );
    }, byCursor);
  }

  /**
   * Reads one message with its events and the signed address of its raw form. `GET /api/email_logs/{id}`, or under an
   * account as `list`. Pool `emailLogsGet`.
   *
   * @throws {@link InvalidRequestError} when the id is no UUID, {@link NotFoundError}, {@link AuthenticationError},
   * {@link RateLimitError}
   */
  get(messageId: string, options?: RequestOptions): ApiPromise<EmailLogMessageDetails> {
    return this.#execute(
      {
        operation: 'emailLogs.get',
        method: 'GET',
        host: 'api',
        path: pathOf(options, '/{messageId}'),
        pathParams: { messageId },
        check: () => uuidIssues('messageId', messageId),
        isRepeatable: true,
        result: bareObject<EmailLogMessageDetails>(),
        schema: emailLogAnswer,
      },
      options,
    );
  }

  /**
   * Downloads a raw `.eml` message. `GET` its signed address, without the token and without headers of ours. The bytes are
   * untouched; a file name the response may suggest comes from the mail's subject and is not to be trusted.
   *
   * @param messageOrUrl - a message from `get`, or its `raw_message_url`
   * @throws {@link ApiError} once the address has expired (read the message again), {@link InvalidRequestError} for an
   * address that is none
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
    return this.#execute<ReadableStream<Uint8Array> | Uint8Array>(
      {
        operation: 'emailLogs.downloadRaw',
        method: 'GET',
        host: 'api',
        path: '(signed address)',
        signedUrl: url,
        optionsRule: downloadOptions,
        check: () =>
          issuesAt(
            'messageOrUrl',
            URL.canParse(url) ? undefined : 'must be a message from emailLogs.get, or a URL',
          ),
        isRepeatable: true,
        result: options?.as === 'stream' ? { kind: 'stream' } : { kind: 'bytes' },
      },
      options,
    );
  }
}
