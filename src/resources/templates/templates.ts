import { paginated, templates } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { NumberedPage, NumberedPageParams } from '../base/numbered-page.ts';
import type { Template, TemplateCreateParams, TemplateUpdateParams } from './types.ts';
import { Resource } from '../base/resource.ts';

/** Email templates. The methods here take a template's `id`; sending an email with it takes its `uuid`. */
export class Templates extends Resource {
  /** The same templates at newer paths of the service, which list them page by page. */
  get paginated(): PaginatedTemplates {
    return this.part(PaginatedTemplates);
  }

  /**
   * Lists every template, in one request; an account has at most 200.
   * `GET /api/accounts/{account_id}/email_templates`, or `GET /api/email_templates` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<Template> {
    return this.pages(templates().list, {}, options);
  }

  /**
   * Creates a template; needs a token with admin access. `POST /api/accounts/{account_id}/email_templates`, or
   * `POST /api/email_templates` when no account is set.
   *
   * Never retried when its outcome is unknown: a retry could create two templates.
   *
   * @throws {@link ValidationError} for rejected fields or beyond 200 templates, {@link InvalidRequestError} before
   * anything is sent, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: TemplateCreateParams, options?: RequestOptions): ApiPromise<Template> {
    return this.call(templates().create, {}, options, params);
  }

  /**
   * Returns one template. `GET /api/accounts/{account_id}/email_templates/{id}`, or `GET /api/email_templates/{id}`
   * when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<Template> {
    return this.call(templates().get, { id }, options);
  }

  /**
   * Updates a template; only the given fields change. `PATCH /api/accounts/{account_id}/email_templates/{id}`, or
   * `PATCH /api/email_templates/{id}` when no account is set.
   *
   * @throws {@link ValidationError}, {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  update(id: number, params: TemplateUpdateParams, options?: RequestOptions): ApiPromise<Template> {
    return this.call(templates().update, { id }, options, params);
  }

  /**
   * Deletes a template. `DELETE /api/accounts/{account_id}/email_templates/{id}`, or
   * `DELETE /api/email_templates/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(templates().delete, { id }, options);
  }
}

/**
 * The same templates at newer paths of the service: a list has pages, and can start at any page.
 */
export class PaginatedTemplates extends Resource {
  /**
   * Lists templates, newest first; pages are fetched as they are read.
   * `GET /api/accounts/{account_id}/templates`, or `GET /api/templates` when no account is set. Every page counts against
   * the rate limit pool `templatesList`.
   *
   * No template is returned twice. If templates are created while you read the list, none is missed. If templates are
   * deleted, some that move to a page already read are missed: collect the ids before you delete.
   *
   * @throws {@link InvalidRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  list(params: NumberedPageParams = {}, options?: RequestOptions): Pager<Template, NumberedPage<Template>> {
    return this.pages(paginated().list, {}, options, params);
  }

  /**
   * Creates a template; needs a token with admin access. `POST /api/accounts/{account_id}/templates`, or
   * `POST /api/templates` when no account is set. It counts against the rate limit pool `templatesCreate`.
   *
   * Never retried when its outcome is unknown: a retry could create two templates.
   *
   * @throws {@link ValidationError} for rejected fields or beyond 200 templates, {@link InvalidRequestError} before
   * anything is sent, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: TemplateCreateParams, options?: RequestOptions): ApiPromise<Template> {
    return this.call(paginated().create, {}, options, params);
  }

  /**
   * Returns one template. `GET /api/accounts/{account_id}/templates/{id}`, or `GET /api/templates/{id}` when no account
   * is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<Template> {
    return this.call(paginated().get, { id }, options);
  }

  /**
   * Updates a template; only the given fields change. `PATCH /api/accounts/{account_id}/templates/{id}`, or
   * `PATCH /api/templates/{id}` when no account is set.
   *
   * @throws {@link ValidationError}, {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  update(id: number, params: TemplateUpdateParams, options?: RequestOptions): ApiPromise<Template> {
    return this.call(paginated().update, { id }, options, params);
  }

  /**
   * Deletes a template. `DELETE /api/accounts/{account_id}/templates/{id}`, or `DELETE /api/templates/{id}` when no
   * account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(paginated().delete, { id }, options);
  }
}
