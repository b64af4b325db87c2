import { trackingOptOuts } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type {
  SuppressionListParams,
  TrackingOptOut,
  TrackingOptOutCreateParams,
  TrackingOptOutPage,
} from '../suppressions/types.ts';
import { Resource } from '../base/resource.ts';

/** Addresses whose opens and clicks are not tracked. The path is the same with and without an account. */
export class TrackingOptOuts extends Resource {
  /**
   * Lists opt-outs; pages are fetched as they are read. `GET /api/tracking_opt_outs`
   *
   * No opt-out is returned twice. A page's `last_id`, passed as a parameter, resumes the list.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(
    params: SuppressionListParams = {},
    options?: RequestOptions,
  ): Pager<TrackingOptOut, TrackingOptOutPage> {
    return this.pages(trackingOptOuts().list, {}, options, params);
  }

  /**
   * Adds an address. `POST /api/tracking_opt_outs`
   *
   * Never retried when its outcome is unknown.
   *
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: TrackingOptOutCreateParams, options?: RequestOptions): ApiPromise<TrackingOptOut> {
    return this.call(trackingOptOuts().create, {}, options, params);
  }

  /**
   * Deletes an opt-out: the address is tracked again. `DELETE /api/tracking_opt_outs/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: string, options?: RequestOptions): ApiPromise<Pick<TrackingOptOut, 'id'>> {
    return this.call(trackingOptOuts().delete, { id }, options);
  }
}
