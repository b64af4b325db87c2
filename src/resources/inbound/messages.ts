import { messages } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type {
  InboundForwardParams,
  InboundListParams,
  InboundMessage,
  InboundMessageDetails,
  InboundMessagePage,
  InboundReplyParams,
} from './mail-types.ts';
import { completeMail } from '../sending/mail/input.ts';
import type { SendResult } from '../sending/types.ts';
import type { Endpoint } from '../base/endpoint.ts';
import { requestTo } from '../base/request-to.ts';
import { Resource } from '../base/resource.ts';
import { mailBody } from '../sending/requests.ts';

/**
 * Messages that an inbox received. Their ids are text, because the numbers are too large for JavaScript.
 *
 * A reply or a forward sends an email. It is never retried when its outcome is unknown.
 */
export class InboundMessages extends Resource {
  /**
   * Lists the messages of an inbox; pages are fetched as they are read. `GET /api/inbound/inboxes/{inboxId}/messages`
   *
   * No message is returned twice. A page's `last_id`, passed as a parameter, resumes the list.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(
    inboxId: number,
    params: InboundListParams = {},
    options?: RequestOptions,
  ): Pager<InboundMessage, InboundMessagePage> {
    return this.pages(messages().list, { inboxId }, options, params);
  }

  /**
   * Returns one message with its bodies and the signed URLs of its files.
   * `GET /api/inbound/inboxes/{inboxId}/messages/{messageId}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(inboxId: number, messageId: string, options?: RequestOptions): ApiPromise<InboundMessageDetails> {
    return this.call(messages().get, { inboxId, messageId }, options);
  }

  /**
   * Deletes a message. `DELETE /api/inbound/inboxes/{inboxId}/messages/{messageId}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(inboxId: number, messageId: string, options?: RequestOptions): ApiPromise<void> {
    const ids = { inboxId, messageId };
    return this.call(messages().delete, ids, options);
  }

  /**
   * Replies to the sender. `POST /api/inbound/inboxes/{inboxId}/messages/{messageId}/reply`
   *
   * @example
   * ```ts
   * const { message_ids } = await client.inbound.messages.reply(inboxId, id, { text: 'Thank you, we are on it.' });
   * ```
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  reply(
    inboxId: number,
    messageId: string,
    params: InboundReplyParams,
    options?: RequestOptions,
  ): ApiPromise<SendResult> {
    return this.#send(messages().reply, inboxId, messageId, params, options);
  }

  /**
   * Replies to the sender and all other recipients.
   * `POST /api/inbound/inboxes/{inboxId}/messages/{messageId}/reply_all`
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  replyAll(
    inboxId: number,
    messageId: string,
    params: InboundReplyParams,
    options?: RequestOptions,
  ): ApiPromise<SendResult> {
    return this.#send(messages().replyAll, inboxId, messageId, params, options);
  }

  /**
   * Forwards a message to other addresses. `POST /api/inbound/inboxes/{inboxId}/messages/{messageId}/forward`
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  forward(
    inboxId: number,
    messageId: string,
    params: InboundForwardParams,
    options?: RequestOptions,
  ): ApiPromise<SendResult> {
    return this.#send(messages().forward, inboxId, messageId, params, options);
  }

  /** Sends an answer, whose body may have attachments to read. */
  #send(
    action: ReturnType<typeof messages>['reply' | 'replyAll' | 'forward'],
    inboxId: number,
    messageId: string,
    params: InboundReplyParams,
    options: RequestOptions | undefined,
  ): ApiPromise<SendResult> {
    const mail = completeMail(params);
    const { body, complete } = mailBody(action.operation, mail);
    const endpoint = action as Endpoint<SendResult, InboundReplyParams>;
    const own = { body, mails: { complete } };
    return this.execute(requestTo(endpoint, { inboxId, messageId }, mail, own), options);
  }
}
