import { subAccounts } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Pager } from '../../core/pager.ts';
import type { Execute, RequestOptions } from '../../core/request.ts';
import type { SubAccount, SubAccountCreateParams } from './types.ts';
import { Resource } from '../base/resource.ts';

/** The accounts of an organization. The token has to belong to an account that manages them. */
export class SubAccounts extends Resource {
  readonly #params: { readonly organizationId: number };

  /** @internal */
  constructor(execute: Execute, runtime: Runtime, organizationId: number) {
    super(execute, runtime);
    this.#params = { organizationId };
  }

  /**
   * Lists every account of the organization, in one request. `GET /api/organizations/{organizationId}/sub_accounts`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<SubAccount> {
    return this.pages(subAccounts().list, this.#params, options);
  }

  /**
   * Adds an account to the organization. `POST /api/organizations/{organizationId}/sub_accounts`
   *
   * Never retried when its outcome is unknown: a retry could create two accounts.
   *
   * @throws {@link ValidationError}, {@link BadRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: SubAccountCreateParams, options?: RequestOptions): ApiPromise<SubAccount> {
    return this.call(subAccounts().create, this.#params, options, params);
  }

  /**
   * Deletes an account of the organization for good, with everything in it. **Deleting the last account deletes the
   * organization.** `DELETE /api/organizations/{organizationId}/sub_accounts/{id}`. It counts against the rate limit pool
   * `subAccountsDelete`.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError} (also for an organization that
   * the token may not manage), {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(subAccounts().delete, { ...this.#params, id }, options);
  }
}

/**
 * Organizations with several accounts. The path is the same with and without an account.
 *
 * @example
 * ```ts
 * const accounts = await client.organizations.subAccounts(7).list().toArray();
 * ```
 */
export class Organizations extends Resource {
  /**
   * The accounts of one organization.
   *
   * @param organizationId - id of the organization; the methods refuse an invalid one
   */
  subAccounts(organizationId: number): SubAccounts {
    return new SubAccounts(this.execute, this.runtime, organizationId);
  }
}
