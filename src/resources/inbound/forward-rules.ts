import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { forwardRuleCreateRule, forwardRuleUpdateRule } from './rules.ts';
import type {
  ForwardRule,
  ForwardRuleCreateParams,
  ForwardRulePage,
  ForwardRuleUpdateParams,
} from './types.ts';
import { deleted, listReader, objectReader } from '../readers.ts';
import { Resource } from '../resource.ts';

const rule = objectReader<ForwardRule>('forwardRule', 'data');
const rules = listReader<ForwardRule, ForwardRulePage>('forwardRulePage', 'data');
const RULES = '/api/inbound/inboxes/{inboxId}/forward_rules';

/** Rules by which an inbox forwards messages to other addresses. */
export class ForwardRules extends Resource {
  /** @internal */
  protected override readonly group = 'inbound.forwardRules';

  /**
   * Lists every rule of an inbox, in one request. `GET /api/inbound/inboxes/{inboxId}/forward_rules`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(inboxId: number, options?: RequestOptions): Pager<ForwardRule, ForwardRulePage> {
    return this.pages('list', `GET ${RULES}`, { inboxId }, rules, options);
  }

  /**
   * Creates a rule. `POST /api/inbound/inboxes/{inboxId}/forward_rules`
   *
   * Never retried when its outcome is unknown: messages could then be forwarded twice.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  create(
    inboxId: number,
    params: ForwardRuleCreateParams,
    options?: RequestOptions,
  ): ApiPromise<ForwardRule> {
    return this.call('create', `POST ${RULES}`, { inboxId }, rule, options, {
      params,
      rule: forwardRuleCreateRule,
    });
  }

  /**
   * Returns one rule. `GET /api/inbound/inboxes/{inboxId}/forward_rules/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(inboxId: number, id: number, options?: RequestOptions): ApiPromise<ForwardRule> {
    return this.call('get', `GET ${RULES}/{id}`, { inboxId, id }, rule, options);
  }

  /**
   * Updates a rule; only what is given changes, and a list replaces the one before.
   * `PATCH /api/inbound/inboxes/{inboxId}/forward_rules/{id}`
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
    return this.call('update', `PATCH ${RULES}/{id}`, { inboxId, id }, rule, options, {
      repeatable: true,
      params,
      rule: forwardRuleUpdateRule,
    });
  }

  /**
   * Deletes a rule. `DELETE /api/inbound/inboxes/{inboxId}/forward_rules/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(inboxId: number, id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call('delete', `DELETE ${RULES}/{id}`, { inboxId, id }, deleted, options);
  }
}
