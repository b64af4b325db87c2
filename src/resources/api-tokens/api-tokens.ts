import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { tokenCreateRule, tokenResetRule } from './rules.ts';
import type { ApiToken, ApiTokenCreateParams, ApiTokenResetParams, NewApiToken } from './types.ts';
import { deleted, objectAndList, objectReader } from '../readers.ts';
import { withKindsIn } from '../resource-kinds.ts';
import { Resource } from '../resource.ts';

const [apiToken, apiTokens] = objectAndList<ApiToken>('apiToken');
// A new token without its value is of no use, and nobody can read it later.
const newToken = objectReader<NewApiToken>(
  'newApiToken',
  undefined,
  ({ token }) => typeof token === 'string',
);

/**
 * API tokens of the account. The value of a token is in the results of `create` and `reset`, and nowhere else: no error,
 * hook or other result contains it.
 */
export class ApiTokens extends Resource {
  /** @internal */
  protected override readonly group = 'apiTokens';

  /**
   * Lists every token, without the values, in one request. `GET /api/accounts/{account_id}/api_tokens`, or
   * `GET /api/api_tokens` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<ApiToken> {
    return this.pages('list', 'GET {account}/api_tokens', {}, apiTokens, options);
  }

  /**
   * Creates a token; the result contains its value. `POST /api/accounts/{account_id}/api_tokens`, or
   * `POST /api/api_tokens` when no account is set.
   *
   * Never retried when its outcome is unknown: there could then be a second token whose value nobody has.
   *
   * @example
   * ```ts
   * const { token } = await client.apiTokens.create({
   *   name: 'orders',
   *   resources: [{ resource_type: 'domain', resource_id: 301, access_level: 100 }],
   *   expires_at: new Date('2027-01-01'),
   * });
   * ```
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: ApiTokenCreateParams, options?: RequestOptions): ApiPromise<NewApiToken> {
    return this.call('create', 'POST {account}/api_tokens', {}, newToken, options, {
      params,
      rule: tokenCreateRule,
      as: withKindsIn('resources'),
    });
  }

  /**
   * Returns one token, without its value. `GET /api/accounts/{account_id}/api_tokens/{id}`, or
   * `GET /api/api_tokens/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<ApiToken> {
    return this.call('get', 'GET {account}/api_tokens/{id}', { id }, apiToken, options);
  }

  /**
   * Deletes a token; it stops working at once. `DELETE /api/accounts/{account_id}/api_tokens/{id}`, or
   * `DELETE /api/api_tokens/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call('delete', 'DELETE {account}/api_tokens/{id}', { id }, deleted, options);
  }

  /**
   * Replaces a token by a new one with the same access, another id and another value, which is in the result. The old one
   * works for 12 more hours. `POST /api/accounts/{account_id}/api_tokens/{id}/reset`, or
   * `POST /api/api_tokens/{id}/reset` when no account is set.
   *
   * Never retried when its outcome is unknown: there could then be another token whose value nobody has.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  reset(id: number, params: ApiTokenResetParams = {}, options?: RequestOptions): ApiPromise<NewApiToken> {
    return this.call('reset', 'POST {account}/api_tokens/{id}/reset', { id }, newToken, options, {
      params,
      rule: tokenResetRule,
    });
  }
}
