import { companyInfo } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { CompanyInfo, CompanyInfoCreateParams, CompanyInfoUpdateParams } from './company-info-types.ts';
import { Resource } from '../base/resource.ts';

/**
 * The company or person that sends from a domain. The service requires it before the domain may send.
 *
 * @example
 * ```ts
 * const info = await client.sendingDomains.companyInfo.get(7);
 * ```
 */
export class CompanyInfos extends Resource {
  /**
   * Returns the information of a domain. `GET /api/accounts/{account_id}/sending_domains/{domainId}/company_info`, or
   * `GET /api/domains/{domainId}/company_info` when no account is set.
   *
   * @throws {@link NotFoundError} also for a domain without information; {@link AuthenticationError}, {@link
   * PermissionDeniedError}, {@link RateLimitError}
   */
  get(domainId: number, options?: RequestOptions): ApiPromise<CompanyInfo> {
    return this.call(companyInfo().get, { domainId }, options);
  }

  /**
   * Adds the information of a domain. `POST /api/accounts/{account_id}/sending_domains/{domainId}/company_info`, or
   * `POST /api/domains/{domainId}/company_info` when no account is set.
   *
   * Never retried when its outcome is unknown.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  create(
    domainId: number,
    params: CompanyInfoCreateParams,
    options?: RequestOptions,
  ): ApiPromise<CompanyInfo> {
    return this.call(companyInfo().create, { domainId }, options, params);
  }

  /**
   * Updates the information of a domain; only the given fields change.
   * `PATCH /api/accounts/{account_id}/sending_domains/{domainId}/company_info`, or
   * `PATCH /api/domains/{domainId}/company_info` when no account is set.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(
    domainId: number,
    params: CompanyInfoUpdateParams,
    options?: RequestOptions,
  ): ApiPromise<CompanyInfo> {
    return this.call(companyInfo().update, { domainId }, options, params);
  }
}
