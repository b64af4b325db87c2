import type { ApiPromise } from '../core/api-promise.ts';
import type { Pager } from '../core/pager.ts';
import type { RequestOptions } from '../core/request.ts';
import { forwardRule, inboundListRule, replyRule } from '../models/inbound-checks.ts';
import type {
  InboundForwardParams,
  InboundListParams,
  InboundMessage,
  InboundMessageDetails,
  InboundMessagePage,
  InboundReplyParams,
} from '../models/inbound-mail.ts';
import { completeMail } from '../models/mail-input.ts';
import type { SendResult } from '../models/sending.ts';
import { deleted, listByLastId, objectReader } from './readers.ts';
import { Resource } from './resource.ts';
import { mailBody } from './send-requests.ts';
import { sent } from './send-results.ts';

const message = objectReader<InboundMessageDetails>('inboundMessageDetails');
const messages = listByLastId<InboundMessage, InboundMessagePage>('inboundMessagePage');
const reply = { ...sent, schema: 'inboundSendResult' as const };
const MESSAGES = '/api/inbound/inboxes/{inboxId}/messages';

/**
 * Messages that an inbox received. Their ids are text: they are numbers too large for JavaScript.
 *
 * A reply or a forward is an email that is sent, and is never sent again by itself when its outcome is unknown.
 */
export class InboundMessages extends Resource {
  /** @internal */
  protected override readonly group = 'inbound.messages';

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
    return this.pages('list', `GET ${MESSAGES}`, { inboxId }, messages, options, {
      params,
      rule: inboundListRule,
    });
  }

  /**
   * Returns one message with its bodies and the signed URLs of its files.
   * `GET /api/inbound/inboxes/{inboxId}/messages/{messageId}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(inboxId: number, messageId: string, options?: RequestOptions): ApiPromise<InboundMessageDetails> {
    return this.call('get', `GET ${MESSAGES}/{messageId:text}`, { inboxId, messageId }, message, options);
  }

  /**
   * Deletes a message. `DELETE /api/inbound/inboxes/{inboxId}/messages/{messageId}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(inboxId: number, messageId: string, options?: RequestOptions): ApiPromise<void> {
    const ids = { inboxId, messageId };
    return this.call('delete', `DELETE ${MESSAGES}/{messageId:text}`, ids, deleted, options);
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
    return this.#send('reply', 'reply', inboxId, messageId, params, options);
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
    return this.#send('replyAll', 'reply_all', inboxId, messageId, params, options);
  }

  /**
   * Sends a message on to others. `POST /api/inbound/inboxes/{inboxId}/messages/{messageId}/forward`
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
    return this.#send('forward', 'forward', inboxId, messageId, params, options);
  }

  #send(
    method: 'reply' | 'replyAll' | 'forward',
    action: 'reply' | 'reply_all' | 'forward',
    inboxId: number,
    messageId: string,
    params: InboundReplyParams,
    options: RequestOptions | undefined,
  ): ApiPromise<SendResult> {
    const endpoint = `POST ${MESSAGES}/{messageId:text}/${action}` as const;
    const mail = completeMail(params);
    return this.call(method, endpoint, { inboxId, messageId }, reply, options, {
      ...mailBody(`${this.group}.${method}`, mail),
      params: mail,
      rule: method === 'forward' ? forwardRule : replyRule,
    });
  }
}
