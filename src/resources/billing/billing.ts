import { billing } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { BillingUsage } from './types.ts';
import { Resource } from '../base/resource.ts';

/** The account's usage of its plan. */
export class Billing extends Resource {
  /**
   * Returns the usage in the current billing cycle. `GET /api/accounts/{account_id}/billing/usage`, or `GET
   * /api/billing/usage` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  usage(options?: RequestOptions): ApiPromise<BillingUsage> {
    return this.call(billing().usage, {}, options);
  }
}
