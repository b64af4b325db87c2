import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { webhookCreateRule, webhookUpdateRule } from './rules.ts';
import type {
  CreatedWebhook,
  Webhook,
  WebhookCreateParams,
  WebhookPage,
  WebhookUpdateParams,
} from './types.ts';
import { listReader, objectReader, removed } from '../readers.ts';
import { Resource, wrappedIn } from '../resource.ts';

const webhook = objectReader<Webhook>('webhook', 'data');
const created = objectReader<CreatedWebhook>('createdWebhook', 'data');
const webhooks = listReader<Webhook, WebhookPage>('webhookPage', 'data');
const wrapped = wrappedIn('webhook');

/** Webhooks: addresses of yours that the service posts events to. `email-platform/webhooks` verifies and reads them. */
export class Webhooks extends Resource {
  /** @internal */
  protected override readonly group = 'webhooks';

  /**
   * Lists every webhook, in one request. `GET /api/accounts/{account_id}/webhooks`, or `GET /api/webhooks` when no
   * account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<Webhook, WebhookPage> {
    return this.pages('list', 'GET {account}/webhooks', {}, webhooks, options);
  }

  /**
   * Creates a webhook. `POST /api/accounts/{account_id}/webhooks`, or `POST /api/webhooks` when no account is set.
   *
   * The result has the secret that posts are signed with; no later response has it. Never retried when its outcome is
   * unknown: there could then be two webhooks.
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
    return this.call('create', 'POST {account}/webhooks', {}, created, options, {
      params,
      rule: webhookCreateRule,
      as: wrapped,
    });
  }

  /**
   * Returns one webhook. `GET /api/accounts/{account_id}/webhooks/{id}`, or `GET /api/webhooks/{id}` when no account is
   * set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call('get', 'GET {account}/webhooks/{id}', { id }, webhook, options);
  }

  /**
   * Updates a webhook; only what is given changes. `PATCH /api/accounts/{account_id}/webhooks/{id}`, or
   * `PATCH /api/webhooks/{id}` when no account is set.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: WebhookUpdateParams, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call('update', 'PATCH {account}/webhooks/{id}', { id }, webhook, options, {
      repeatable: true,
      params,
      rule: webhookUpdateRule,
      as: wrapped,
    });
  }

  /**
   * Deletes a webhook: nothing is posted any more. `DELETE /api/accounts/{account_id}/webhooks/{id}`, or
   * `DELETE /api/webhooks/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<Pick<Webhook, 'id'>> {
    return this.call('delete', 'DELETE {account}/webhooks/{id}', { id }, removed(id, 'data'), options);
  }
}
