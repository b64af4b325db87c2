import { messages } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { takenArgument } from '../../core/request-options.ts';
import type {
  BodyForm,
  BodyOptions,
  BodyTypes,
  SandboxForwardParams,
  SandboxForwardResult,
  SandboxHtmlAnalysis,
  SandboxMarkReadParams,
  SandboxMessage,
  SandboxMessageFilter,
  SandboxMessageHeaders,
  SandboxMessageListParams,
  SandboxSpamReport,
} from './message-types.ts';
import type { WaitOptions } from '../base/wait-options.ts';
import { inForm } from './body-form.ts';
import type { Endpoint, NoParams } from '../base/endpoint.ts';
import { requestTo } from '../base/request-to.ts';
import { Resource } from '../base/resource.ts';
import { awaitedMessage } from './wait.ts';
import { pollUntil } from '../base/waiting-resource.ts';

/** Messages in test inboxes. When an account is set, the paths have `inboxes`; otherwise `sandboxes`. */
export class SandboxMessages extends Resource {
  /**
   * Lists the messages in a test inbox, newest first, 30 in a request; pages are fetched as they are read, until one is
   * empty. `GET /api/accounts/{account_id}/inboxes/{inbox}/messages`, or `GET /api/sandboxes/{inbox}/messages` when no
   * account is set.
   *
   * No message is returned twice. The id of the last one read, passed as `last_id`, resumes the list; `page` starts it
   * at a later page.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(
    inbox: number,
    params: SandboxMessageListParams = {},
    options?: RequestOptions,
  ): Pager<SandboxMessage> {
    return this.pages(messages().list, { inbox }, options, params);
  }

  /**
   * Returns one message, without its content. `GET /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}`, or
   * `GET /api/sandboxes/{inbox}/messages/{id}` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(inbox: number, id: number, options?: RequestOptions): ApiPromise<SandboxMessage> {
    return this.call(messages().get, { inbox, id }, options);
  }

  /**
   * Marks a message as read, or as unread. `PATCH /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}`, or
   * `PATCH /api/sandboxes/{inbox}/messages/{id}` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  markRead(
    inbox: number,
    id: number,
    params: SandboxMarkReadParams = { is_read: true },
    options?: RequestOptions,
  ): ApiPromise<SandboxMessage> {
    return this.call(messages().markRead, { inbox, id }, options, params);
  }

  /**
   * Deletes a message. `DELETE /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}`, or
   * `DELETE /api/sandboxes/{inbox}/messages/{id}` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(inbox: number, id: number, options?: RequestOptions): ApiPromise<Pick<SandboxMessage, 'id'>> {
    return this.call(messages().delete, { inbox, id }, options);
  }

  /**
   * Forwards a message to a real address. `POST /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}/forward`, or
   * `POST /api/sandboxes/{inbox}/messages/{id}/forward` when no account is set.
   *
   * Never retried when its outcome is unknown: the email could arrive twice.
   *
   * @param inbox - id of the test inbox
   * @throws {@link UnprocessableError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  forward(
    inbox: number,
    id: number,
    params: SandboxForwardParams,
    options?: RequestOptions,
  ): ApiPromise<SandboxForwardResult> {
    return this.call(messages().forward, { inbox, id }, options, params);
  }

  /**
   * Returns a spam filter's report on a message. `GET
   * /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}/spam_report`, or `GET
   * /api/sandboxes/{inbox}/messages/{id}/spam_report` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  spamReport(inbox: number, id: number, options?: RequestOptions): ApiPromise<SandboxSpamReport> {
    return this.call(messages().spamReport, { inbox, id }, options);
  }

  /**
   * Returns an analysis of the support for a message's HTML in email programs. `GET
   * /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}/analyze`, or `GET
   * /api/sandboxes/{inbox}/messages/{id}/analyze` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  htmlAnalysis(inbox: number, id: number, options?: RequestOptions): ApiPromise<SandboxHtmlAnalysis> {
    return this.call(messages().htmlAnalysis, { inbox, id }, options);
  }

  /**
   * Returns the headers of a message, by name: `content_type`, not `Content-Type`. `bcc` may be a notice that the plan
   * does not include it. `GET /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}/mail_headers`, or `GET
   * /api/sandboxes/{inbox}/messages/{id}/mail_headers` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  headers(inbox: number, id: number, options?: RequestOptions): ApiPromise<SandboxMessageHeaders> {
    return this.call(messages().headers, { inbox, id }, options);
  }

  /**
   * Returns a message's plain text. `GET /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}/body.txt`, or
   * `GET /api/sandboxes/{inbox}/messages/{id}/body.txt` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError} also when the message has no text; {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  text<Form extends BodyForm = 'text'>(inbox: number, id: number, options?: BodyOptions<Form>) {
    return this.#body(messages().text, inbox, id, options);
  }

  /**
   * Returns a message's HTML for display. `GET /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}/body.html`, or
   * `GET /api/sandboxes/{inbox}/messages/{id}/body.html` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError} also when the message has no HTML; {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  html<Form extends BodyForm = 'text'>(inbox: number, id: number, options?: BodyOptions<Form>) {
    return this.#body(messages().html, inbox, id, options);
  }

  /**
   * Returns a message's HTML as sent. `GET /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}/body.htmlsource`,
   * or `GET /api/sandboxes/{inbox}/messages/{id}/body.htmlsource` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError} also when the message has no HTML; {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  htmlSource<Form extends BodyForm = 'text'>(inbox: number, id: number, options?: BodyOptions<Form>) {
    return this.#body(messages().htmlSource, inbox, id, options);
  }

  /**
   * Returns a whole message as text, with its headers.
   * `GET /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}/body.raw`, or
   * `GET /api/sandboxes/{inbox}/messages/{id}/body.raw` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  raw<Form extends BodyForm = 'text'>(inbox: number, id: number, options?: BodyOptions<Form>) {
    return this.#body(messages().raw, inbox, id, options);
  }

  /**
   * Returns a whole message as an `.eml` file, by default in bytes. `GET
   * /api/accounts/{account_id}/inboxes/{inbox}/messages/{id}/body.eml`, or `GET
   * /api/sandboxes/{inbox}/messages/{id}/body.eml` when no account is set.
   *
   * @param inbox - id of the test inbox
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  eml<Form extends BodyForm = 'bytes'>(inbox: number, id: number, options?: BodyOptions<Form>) {
    return this.#body(messages().eml, inbox, id, options);
  }

  /**
   * Waits until a test inbox has a matching message, and resolves to the newest one. An existing message counts too:
   * use a different address for each test, or `after`. Each poll lists the newest messages: it counts against the rate
   * limits, at low priority by default, and is retried like any read.
   *
   * @example
   * ```ts
   * const { id } = await client.sandbox.messages.waitFor({ inbox, to: 'ann@example.org' }, { deadlineMs: 30_000 });
   * const html = await client.sandbox.messages.html(inbox, id);
   * ```
   * @throws {@link AbortedError} when the signal is aborted, {@link TimeoutError} of kind `deadline` when `deadlineMs`
   * has passed, by default an hour: its message names the newest messages in the inbox; and whatever `list` throws
   */
  async waitFor(
    filter: SandboxMessageFilter,
    options?: WaitOptions<SandboxMessage | undefined>,
  ): Promise<SandboxMessage> {
    const operation = 'sandbox.messages.waitFor';
    const wanted = takenArgument(operation, Object(filter) as SandboxMessageFilter);
    const awaited = awaitedMessage(operation, wanted, (pollOptions) =>
      this.list(wanted.inbox, {}, pollOptions),
    );
    return pollUntil<SandboxMessage | undefined, SandboxMessage>(this.runtime, awaited, options);
  }

  #body<Form extends BodyForm>(
    part: ReturnType<typeof messages>['text' | 'html' | 'htmlSource' | 'raw' | 'eml'],
    inbox: number,
    id: number,
    options: BodyOptions<Form> | undefined,
  ): ApiPromise<BodyTypes[Form]> {
    const { form = 'text', absent } = part.decoder;
    const endpoint = part as Endpoint<BodyTypes[Form], NoParams>;
    return this.execute((context) => {
      const own = inForm<Form>(context, form, absent);
      return requestTo(endpoint, { inbox, id }, undefined, own)(context);
    }, options);
  }
}
