import { webhooks } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type {
  CreatedWebhook,
  Webhook,
  WebhookCreateParams,
  WebhookPage,
  WebhookUpdateParams,
} from './types.ts';
import { Resource } from '../base/resource.ts';

/**
 * Webhooks: your addresses to which the service posts events. `email-platform/webhooks` verifies and reads the posts.
 */
export class Webhooks extends Resource {
  /**
   * Lists every webhook, in one request. `GET /api/accounts/{account_id}/webhooks`, or `GET /api/webhooks` when no
   * account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<Webhook, WebhookPage> {
    return this.pages(webhooks().list, {}, options);
  }

  /**
   * Creates a webhook. `POST /api/accounts/{account_id}/webhooks`, or `POST /api/webhooks` when no account is set.
   *
   * The result has the secret that signs the posts; no later response has it. Never retried when its outcome is
   * unknown: a retry could create two webhooks.
   *
   * @example
   * ```ts
   * const { id, signing_secret } = await client.webhooks.create({
   *   url: 'https://example.com/hooks/email',
   *   webhook_type: 'email_sending',
   *   sending_stream: 'transactional',
   *   event_types: ['delivery', 'bounce', 'spam_complaint'],
   * });
   * ```
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: WebhookCreateParams, options?: RequestOptions): ApiPromise<CreatedWebhook> {
    return this.call(webhooks().create, {}, options, params);
  }

  /**
   * Returns one webhook. `GET /api/accounts/{account_id}/webhooks/{id}`, or `GET /api/webhooks/{id}` when no account is
   * set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call(webhooks().get, { id }, options);
  }

  /**
   * Updates a webhook; only the given fields change. `PATCH /api/accounts/{account_id}/webhooks/{id}`, or
   * `PATCH /api/webhooks/{id}` when no account is set.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: WebhookUpdateParams, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call(webhooks().update, { id }, options, params);
  }

  /**
   * Deletes a webhook: the service posts no further events. `DELETE /api/accounts/{account_id}/webhooks/{id}`, or
   * `DELETE /api/webhooks/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<Pick<Webhook, 'id'>> {
    return this.call(webhooks().delete, { id }, options);
  }
}
