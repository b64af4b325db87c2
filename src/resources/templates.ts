import type { ApiPromise } from '../core/api-promise.ts';
import type { Pager } from '../core/pager.ts';
import type { Execute, RequestOptions } from '../core/request.ts';
import { templateCreateIssues, templateUpdateIssues } from '../models/templates-checks.ts';
import type { Template, TemplateCreateParams, TemplateUpdateParams } from '../models/templates.ts';
import { byId, deleteById } from './by-id.ts';
import { inAccount } from './paths.ts';
import { bareObject } from './results.ts';
import { wholeList } from './whole-list.ts';

const result = bareObject<Template>();

/**
 * Email templates. The methods here take a template's `id`; sending an email with it takes its `uuid`.
 *
 * Every method may also throw {@link InvalidRequestError}, {@link ConnectionError}, {@link TimeoutError},
 * {@link AbortedError}, {@link ServerError}, {@link ResponseFormatError} or {@link ConfigurationError}.
 */
export class Templates {
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /**
   * Lists every template, in one request; an account has at most 200.
   * `GET /api/accounts/{account_id}/email_templates`, or `GET /api/email_templates` when no account is set.
   * The path is not in the specification; taken from the service's public API reference.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<Template> {
    return wholeList<Template>(
      this.#execute,
      {
        operation: 'templates.list',
        path: (context) => inAccount(context, 'email_templates'),
        schema: 'templateList',
      },
      options,
    );
  }

  /**
   * Creates a template; needs a token with admin access.
   * `POST /api/accounts/{account_id}/email_templates`, or `POST /api/email_templates` when no account is set.
   * The path is not in the specification; taken from the service's public API reference.
   *
   * Never retried when its outcome is unknown: there could then be two templates.
   *
   * @throws {@link ValidationError} for rejected fields or beyond 200 templates, {@link InvalidRequestError} before
   * anything is sent, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: TemplateCreateParams, options?: RequestOptions): ApiPromise<Template> {
    return this.#execute(
      (context) => ({
        operation: 'templates.create',
        method: 'POST',
        host: 'api',
        path: inAccount(context, 'email_templates'),
        body: { email_template: params },
        check: () => templateCreateIssues(params),
        isRepeatable: false,
        result,
        schema: 'template',
      }),
      options,
    );
  }

  /**
   * Returns one template.
   * `GET /api/accounts/{account_id}/email_templates/{id}`, or `GET /api/email_templates/{id}` when no account is set.
   * Not in the specification; taken from the service's public API reference.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<Template> {
    return this.#execute(
      (context) => ({
        ...byId(id, {
          operation: 'templates.get',
          method: 'GET',
          path: inAccount(context, 'email_templates/{id}'),
        }),
        result,
        schema: 'template',
      }),
      options,
    );
  }

  /**
   * Updates a template; only the fields given change.
   * `PATCH /api/accounts/{account_id}/email_templates/{id}`, or `PATCH /api/email_templates/{id}` when no account is
   * set. The path is not in the specification; taken from the service's public API reference.
   *
   * @throws {@link ValidationError}, {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  update(id: number, params: TemplateUpdateParams, options?: RequestOptions): ApiPromise<Template> {
    return this.#execute(
      (context) => ({
        ...byId(id, {
          operation: 'templates.update',
          method: 'PATCH',
          path: inAccount(context, 'email_templates/{id}'),
          issues: () => templateUpdateIssues(params),
        }),
        body: { email_template: params },
        result,
        schema: 'template',
      }),
      options,
    );
  }

  /**
   * Deletes a template.
   * `DELETE /api/accounts/{account_id}/email_templates/{id}`, or `DELETE /api/email_templates/{id}` when no account is
   * set. The path is not in the specification; taken from the service's public API reference.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.#execute(
      (context) => deleteById(id, 'templates.delete', inAccount(context, 'email_templates/{id}')),
      options,
    );
  }
}
