import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { templateCreateRule, templateUpdateRule } from './rules.ts';
import type { Template, TemplateCreateParams, TemplateUpdateParams } from './types.ts';
import { deleted, objectAndList } from '../readers.ts';
import { Resource, wrappedIn } from '../resource.ts';

const [template, templates] = objectAndList<Template>('template');
const wrapped = wrappedIn('email_template');

/** Email templates. The methods here take a template's `id`; sending an email with it takes its `uuid`. */
export class Templates extends Resource {
  /** @internal */
  protected override readonly group = 'templates';

  /**
   * Lists every template, in one request; an account has at most 200.
   * `GET /api/accounts/{account_id}/email_templates`, or `GET /api/email_templates` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<Template> {
    return this.pages('list', 'GET {account}/email_templates', {}, templates, options);
  }

  /**
   * Creates a template; needs a token with admin access. `POST /api/accounts/{account_id}/email_templates`, or
   * `POST /api/email_templates` when no account is set.
   *
   * Never retried when its outcome is unknown: there could then be two templates.
   *
   * @throws {@link ValidationError} for rejected fields or beyond 200 templates, {@link InvalidRequestError} before
   * anything is sent, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: TemplateCreateParams, options?: RequestOptions): ApiPromise<Template> {
    return this.call('create', 'POST {account}/email_templates', {}, template, options, {
      params,
      rule: templateCreateRule,
      as: wrapped,
    });
  }

  /**
   * Returns one template. `GET /api/accounts/{account_id}/email_templates/{id}`, or `GET /api/email_templates/{id}`
   * when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<Template> {
    return this.call('get', 'GET {account}/email_templates/{id}', { id }, template, options);
  }

  /**
   * Updates a template; only the fields given change. `PATCH /api/accounts/{account_id}/email_templates/{id}`, or
   * `PATCH /api/email_templates/{id}` when no account is set.
   *
   * @throws {@link ValidationError}, {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  update(id: number, params: TemplateUpdateParams, options?: RequestOptions): ApiPromise<Template> {
    return this.call('update', 'PATCH {account}/email_templates/{id}', { id }, template, options, {
      repeatable: true,
      params,
      rule: templateUpdateRule,
      as: wrapped,
    });
  }

  /**
   * Deletes a template. `DELETE /api/accounts/{account_id}/email_templates/{id}`, or
   * `DELETE /api/email_templates/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call('delete', 'DELETE {account}/email_templates/{id}', { id }, deleted, options);
  }
}
