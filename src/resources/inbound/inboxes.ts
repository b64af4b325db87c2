import { inboxes } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { InboundInbox, InboundInboxCreateParams, InboundInboxUpdateParams } from './types.ts';
import { Resource } from '../base/resource.ts';

/**
 * Inboxes that receive email, each in a folder and with an address.
 *
 * @example
 * ```ts
 * const inboxes = await client.inbound.inboxes.list(7).toArray();
 * ```
 */
export class InboundInboxes extends Resource {
  /**
   * Lists every inbox of a folder, in one request. `GET /api/inbound/folders/{folderId}/inboxes`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(folderId: number, options?: RequestOptions): Pager<InboundInbox> {
    return this.pages(inboxes().list, { folderId }, options);
  }

  /**
   * Creates an inbox: at an address of the service, or at your own domain. `POST
   * /api/inbound/folders/{folderId}/inboxes`
   *
   * Never retried when its outcome is unknown: a retry could create two inboxes.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  create(
    folderId: number,
    params: InboundInboxCreateParams,
    options?: RequestOptions,
  ): ApiPromise<InboundInbox> {
    return this.call(inboxes().create, { folderId }, options, params);
  }

  /**
   * Returns one inbox. `GET /api/inbound/folders/{folderId}/inboxes/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(folderId: number, id: number, options?: RequestOptions): ApiPromise<InboundInbox> {
    return this.call(inboxes().get, { folderId, id }, options);
  }

  /**
   * Renames an inbox. `PATCH /api/inbound/folders/{folderId}/inboxes/{id}`
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(
    folderId: number,
    id: number,
    params: InboundInboxUpdateParams,
    options?: RequestOptions,
  ): ApiPromise<InboundInbox> {
    return this.call(inboxes().update, { folderId, id }, options, params);
  }

  /**
   * Deletes an inbox with its messages. `DELETE /api/inbound/folders/{folderId}/inboxes/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(folderId: number, id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(inboxes().delete, { folderId, id }, options);
  }
}
