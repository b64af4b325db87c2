import type { ApiPromise } from '../../core/api-promise.ts';
import type { RequestOptions } from '../../core/request.ts';
import type {
  CategoryStats,
  DateStats,
  DomainStats,
  EmailServiceProviderStats,
  EmailStats,
  StatsParams,
} from './types.ts';
import { stats } from './endpoints.ts';
import { Resource } from '../base/resource.ts';

/**
 * Statistics of the emails of some days, as a whole or in groups. For one campaign, use `campaigns.stats`. Every call
 * counts against the rate limit pool `stats`, which allows 10 requests in 60 seconds.
 *
 * @example
 * ```ts
 * const { delivery_rate } = await client.stats.get({ start_date: '2026-05-01', end_date: '2026-05-31' });
 * ```
 */
export class Stats extends Resource {
  /**
   * Returns the statistics of all emails. `GET /api/accounts/{account_id}/stats`, or `GET /api/stats` when no account is
   * set.
   *
   * @throws {@link BadRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(params: StatsParams, options?: RequestOptions): ApiPromise<EmailStats> {
    return this.call(stats().get, {}, options, params);
  }

  /**
   * Returns the statistics of each sending domain. `GET /api/accounts/{account_id}/stats/domains`, or
   * `GET /api/stats/domains` when no account is set.
   *
   * @throws {@link BadRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  byDomain(params: StatsParams, options?: RequestOptions): ApiPromise<DomainStats[]> {
    return this.call(stats().byDomain, {}, options, params);
  }

  /**
   * Returns the statistics of each category. `GET /api/accounts/{account_id}/stats/categories`, or
   * `GET /api/stats/categories` when no account is set.
   *
   * @throws {@link BadRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  byCategory(params: StatsParams, options?: RequestOptions): ApiPromise<CategoryStats[]> {
    return this.call(stats().byCategory, {}, options, params);
  }

  /**
   * Returns the statistics of each of the recipients' email providers.
   * `GET /api/accounts/{account_id}/stats/email_service_providers`, or `GET /api/stats/email_service_providers` when no
   * account is set.
   *
   * @throws {@link BadRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  byEmailServiceProvider(
    params: StatsParams,
    options?: RequestOptions,
  ): ApiPromise<EmailServiceProviderStats[]> {
    return this.call(stats().byEmailServiceProvider, {}, options, params);
  }

  /**
   * Returns the statistics of each day. `GET /api/accounts/{account_id}/stats/date`, or `GET /api/stats/date` when no
   * account is set.
   *
   * @throws {@link BadRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  byDate(params: StatsParams, options?: RequestOptions): ApiPromise<DateStats[]> {
    return this.call(stats().byDate, {}, options, params);
  }
}
