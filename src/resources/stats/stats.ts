import type { ApiPromise } from '../../core/api-promise.ts';
import type { RequestContext, RequestOptions } from '../../core/request.ts';
import { statsRule } from './rules.ts';
import type {
  CategoryStats,
  DateStats,
  DomainStats,
  EmailServiceProviderStats,
  EmailStats,
  StatsParams,
} from './types.ts';
import { arrayReader, named, objectReader, type Reader } from '../readers.ts';
import { Resource, wrappedIn } from '../resource.ts';

const total = objectReader<EmailStats>('emailStats');
const categories = arrayReader<CategoryStats>('categoryStatsList');
const providers = arrayReader<EmailServiceProviderStats>('emailServiceProviderStatsList');
const dates = arrayReader<DateStats>('dateStatsList');

/** Under an account the id has another name. */
const domains = arrayReader<DomainStats>('domainStatsList', named('domain_id', 'sending_domain_id'));
const domainIds = wrappedIn('domain_ids', 'sending_domain_ids');
const statsQuery = ({ domain_ids, ...others }: StatsParams, context: RequestContext) => ({
  ...others,
  ...domainIds(domain_ids, context),
});

/**
 * Statistics of the emails sent in some days, as a whole or in groups. Those of one campaign are `campaigns.stats`. Every
 * call counts against the rate limit pool `stats`, which allows 10 requests in 60 seconds.
 */
export class Stats extends Resource {
  /** @internal */
  protected override readonly group = 'stats';

  /**
   * Returns the statistics of all emails. `GET /api/accounts/{account_id}/stats`, or `GET /api/stats` when no account is
   * set.
   *
   * @throws {@link BadRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(params: StatsParams, options?: RequestOptions): ApiPromise<EmailStats> {
    return this.#read('get', '', total, params, options);
  }

  /**
   * Returns the statistics of each sending domain. `GET /api/accounts/{account_id}/stats/domains`, or
   * `GET /api/stats/domains` when no account is set.
   *
   * @throws {@link BadRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  byDomain(params: StatsParams, options?: RequestOptions): ApiPromise<DomainStats[]> {
    return this.#read('byDomain', '/domains', domains, params, options);
  }

  /**
   * Returns the statistics of each category. `GET /api/accounts/{account_id}/stats/categories`, or
   * `GET /api/stats/categories` when no account is set.
   *
   * @throws {@link BadRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  byCategory(params: StatsParams, options?: RequestOptions): ApiPromise<CategoryStats[]> {
    return this.#read('byCategory', '/categories', categories, params, options);
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
    return this.#read('byEmailServiceProvider', '/email_service_providers', providers, params, options);
  }

  /**
   * Returns the statistics of each day. `GET /api/accounts/{account_id}/stats/date`, or `GET /api/stats/date` when no
   * account is set.
   *
   * @throws {@link BadRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  byDate(params: StatsParams, options?: RequestOptions): ApiPromise<DateStats[]> {
    return this.#read('byDate', '/date', dates, params, options);
  }

  #read<T>(
    name: string,
    group: '' | '/domains' | '/categories' | '/email_service_providers' | '/date',
    reader: Reader<T>,
    params: StatsParams,
    options: RequestOptions | undefined,
  ): ApiPromise<T> {
    return this.call(name, `GET {account}/stats${group}`, {}, reader, options, {
      params,
      rule: statsRule,
      as: statsQuery,
    });
  }
}
