import { forwardRules } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type {
  ForwardRule,
  ForwardRuleCreateParams,
  ForwardRulePage,
  ForwardRuleUpdateParams,
} from './types.ts';
import { Resource } from '../base/resource.ts';

/**
 * Rules by which an inbox forwards messages to other addresses.
 *
 * @example
 * ```ts
 * const rules = await client.inbound.forwardRules.list(7).toArray();
 * ```
 */
export class ForwardRules extends Resource {
  /**
   * Lists every rule of an inbox, in one request. `GET /api/inbound/inboxes/{inboxId}/forward_rules`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(inboxId: number, options?: RequestOptions): Pager<ForwardRule, ForwardRulePage> {
    return this.pages(forwardRules().list, { inboxId }, options);
  }

  /**
   * Creates a rule. `POST /api/inbound/inboxes/{inboxId}/forward_rules`
   *
   * Never retried when its outcome is unknown: the inbox could forward messages twice.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  create(
    inboxId: number,
    params: ForwardRuleCreateParams,
    options?: RequestOptions,
  ): ApiPromise<ForwardRule> {
    return this.call(forwardRules().create, { inboxId }, options, params);
  }

  /**
   * Returns one rule. `GET /api/inbound/inboxes/{inboxId}/forward_rules/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(inboxId: number, id: number, options?: RequestOptions): ApiPromise<ForwardRule> {
    return this.call(forwardRules().get, { inboxId, id }, options);
  }

  /**
   * Updates a rule; only the given fields change, and a list replaces the previous one. `PATCH
   * /api/inbound/inboxes/{inboxId}/forward_rules/{id}`
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(
    inboxId: number,
    id: number,
    params: ForwardRuleUpdateParams,
    options?: RequestOptions,
  ): ApiPromise<ForwardRule> {
    return this.call(forwardRules().update, { inboxId, id }, options, params);
  }

  /**
   * Deletes a rule. `DELETE /api/inbound/inboxes/{inboxId}/forward_rules/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(inboxId: number, id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(forwardRules().delete, { inboxId, id }, options);
  }
}
