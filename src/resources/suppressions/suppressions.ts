import { suppressions } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { Suppression, SuppressionCreateParams, SuppressionListParams } from './types.ts';
import { Resource } from '../base/resource.ts';

/**
 * Addresses to which the service sends no email: they bounced, complained, unsubscribed or were added. Every call
 * counts against the rate limit pool `suppressions`, which allows 10 requests in 60 seconds.
 */
export class Suppressions extends Resource {
  /**
   * Lists suppressions, up to 1000 in a request; pages are fetched as they are read, until one is empty.
   * `GET /api/accounts/{account_id}/suppressions`, or `GET /api/suppressions` when no account is set.
   *
   * No suppression is returned twice. The id of the last one read, passed as `last_id`, resumes the list. If that one
   * is deleted in the meantime, the service may start from the first page again; the list then ends in an error.
   *
   * @example
   * ```ts
   * const { items } = await client.suppressions.list({ email: 'ann@example.org' }); // one request
   * ```
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(params: SuppressionListParams = {}, options?: RequestOptions): Pager<Suppression> {
    return this.pages(suppressions().list, {}, options, params);
  }

  /**
   * Suppresses an address; needs a token with admin access. `POST /api/accounts/{account_id}/suppressions`, or
   * `POST /api/suppressions` when no account is set.
   *
   * Never retried when its outcome is unknown.
   *
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: SuppressionCreateParams, options?: RequestOptions): ApiPromise<Suppression> {
    return this.call(suppressions().create, {}, options, params);
  }

  /**
   * Deletes a suppression: email is sent to the address again. `DELETE /api/accounts/{account_id}/suppressions/{id}`, or
   * `DELETE /api/suppressions/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: string, options?: RequestOptions): ApiPromise<Pick<Suppression, 'id'>> {
    return this.call(suppressions().delete, { id }, options);
  }
}
