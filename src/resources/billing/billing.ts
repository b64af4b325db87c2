import type { ApiPromise } from '../../core/api-promise.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { BillingUsage } from './types.ts';
import { objectReader } from '../readers.ts';
import { Resource } from '../resource.ts';

const usage = objectReader<BillingUsage>('billingUsage');

/** What the account has used of its plan. */
export class Billing extends Resource {
  /** @internal */
  protected override readonly group = 'billing';

  /**
   * Returns what was used in the current billing cycle. `GET /api/accounts/{account_id}/billing/usage`, or
   * `GET /api/billing/usage` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  usage(options?: RequestOptions): ApiPromise<BillingUsage> {
    return this.call('usage', 'GET {account}/billing/usage', {}, usage, options);
  }
}
