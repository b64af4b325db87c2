import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { optOutCreateRule, suppressionListRule } from '../suppressions/rules.ts';
import type {
  SuppressionListParams,
  TrackingOptOut,
  TrackingOptOutCreateParams,
  TrackingOptOutPage,
} from '../suppressions/types.ts';
import { listByLastId, objectReader, removed } from '../readers.ts';
import { Resource } from '../resource.ts';

const optOut = objectReader<TrackingOptOut>('trackingOptOut', 'data');

const optOuts = listByLastId<TrackingOptOut, TrackingOptOutPage>('trackingOptOutPage');

/** Addresses whose opens and clicks are not tracked. There is one path, with or without an account. */
export class TrackingOptOuts extends Resource {
  /** @internal */
  protected override readonly group = 'trackingOptOuts';

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
    return this.pages('list', 'GET /api/tracking_opt_outs', {}, optOuts, options, {
      params,
      rule: suppressionListRule,
    });
  }

  /**
   * Adds an address. `POST /api/tracking_opt_outs`
   *
   * Never retried when its outcome is unknown.
   *
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: TrackingOptOutCreateParams, options?: RequestOptions): ApiPromise<TrackingOptOut> {
    return this.call('create', 'POST /api/tracking_opt_outs', {}, optOut, options, {
      params,
      rule: optOutCreateRule,
    });
  }

  /**
   * Deletes an opt-out: the address is tracked again. `DELETE /api/tracking_opt_outs/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: string, options?: RequestOptions): ApiPromise<Pick<TrackingOptOut, 'id'>> {
    return this.call('delete', 'DELETE /api/tracking_opt_outs/{id:uuid}', { id }, removed(id), options);
  }
}
