import { apiTokens } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { ApiToken, ApiTokenCreateParams, ApiTokenResetParams, NewApiToken } from './types.ts';
import { Resource } from '../base/resource.ts';

/**
 * API tokens of the account. Only the results of `create` and `reset` contain the value of a token: errors, hooks and
 * other results never do.
 */
export class ApiTokens extends Resource {
  /**
   * Lists every token, without the values, in one request. `GET /api/accounts/{account_id}/api_tokens`, or
   * `GET /api/api_tokens` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<ApiToken> {
    return this.pages(apiTokens().list, {}, options);
  }

  /**
   * Creates a token; the result contains its value. `POST /api/accounts/{account_id}/api_tokens`, or
   * `POST /api/api_tokens` when no account is set.
   *
   * Never retried when its outcome is unknown: a retry could create a second token with an unknown value.
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
    return this.call(apiTokens().create, {}, options, params);
  }

  /**
   * Returns one token, without its value. `GET /api/accounts/{account_id}/api_tokens/{id}`, or
   * `GET /api/api_tokens/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<ApiToken> {
    return this.call(apiTokens().get, { id }, options);
  }

  /**
   * Deletes a token; it stops working at once. `DELETE /api/accounts/{account_id}/api_tokens/{id}`, or
   * `DELETE /api/api_tokens/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(apiTokens().delete, { id }, options);
  }

  /**
   * Replaces a token by a new one with the same access, another id and another value, which is in the result. The old one
   * works for 12 more hours. `POST /api/accounts/{account_id}/api_tokens/{id}/reset`, or
   * `POST /api/api_tokens/{id}/reset` when no account is set.
   *
   * Never retried when its outcome is unknown: a retry could create another token with an unknown value.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  reset(id: number, params: ApiTokenResetParams = {}, options?: RequestOptions): ApiPromise<NewApiToken> {
    return this.call(apiTokens().reset, { id }, options, params);
  }
}
