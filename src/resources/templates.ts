import type { ApiPromise } from '../core/api-promise.ts';
import type { Pager } from '../core/pager.ts';
import type { Execute, RequestOptions } from '../core/request.ts';
import { idIssues } from '../models/check.ts';
import {
  templateAnswer,
  templateCreateIssues,
  templateListAnswer,
  templateUpdateIssues,
  type Template,
  type TemplateCreateParams,
  type TemplateUpdateParams,
} from '../models/templates.ts';
import { inAccount } from './paths.ts';
import { goneMeansDeleted, nothing, bareObject } from './results.ts';
import { wholeList } from './whole-list.ts';

const result = bareObject<Template>();

/**
 * Email templates. Sending with one takes its `uuid`; everything here its `id`. The endpoints are those of the public
 * reference: `/api/email_templates`, or `/api/accounts/{account_id}/email_templates` where an account is known.
 */
export class Templates {
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /**
   * Lists every template; there are at most 200 in an account, and they come at once. `GET …/email_templates`
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<Template> {
    return wholeList<Template>(
      this.#execute,
      {
        operation: 'templates.list',
        path: (context) => inAccount(context, 'email_templates'),
        schema: templateListAnswer,
      },
      options,
    );
  }

  /**
   * Creates a template. `POST …/email_templates`; needs a token with admin access. Never repeated when its outcome is
   * unknown.
   *
   * @throws {@link ValidationError} for refused fields or beyond 200 templates, {@link InvalidRequestError} before a
   * request is spent, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
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
        schema: templateAnswer,
      }),
      options,
    );
  }

  /**
   * Reads one template. `GET …/email_templates/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<Template> {
    return this.#execute(
      (context) => ({
        operation: 'templates.get',
        method: 'GET',
        host: 'api',
        path: inAccount(context, 'email_templates/{id}'),
        pathParams: { id },
        check: () => idIssues(id),
        isRepeatable: true,
        result,
        schema: templateAnswer,
      }),
      options,
    );
  }

  /**
   * Changes a template; only the fields given change. `PATCH …/email_templates/{id}`
   *
   * @throws {@link ValidationError}, {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  update(id: number, params: TemplateUpdateParams, options?: RequestOptions): ApiPromise<Template> {
    return this.#execute(
      (context) => ({
        operation: 'templates.update',
        method: 'PATCH',
        host: 'api',
        path: inAccount(context, 'email_templates/{id}'),
        pathParams: { id },
        body: { email_template: params },
        check: () => [...idIssues(id), ...templateUpdateIssues(params)],
        isRepeatable: true,
        result,
        schema: templateAnswer,
      }),
      options,
    );
  }

  /**
   * Deletes a template. `DELETE …/email_templates/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.#execute(
      (context) => ({
        operation: 'templates.delete',
        method: 'DELETE',
        host: 'api',
        path: inAccount(context, 'email_templates/{id}'),
        pathParams: { id },
        check: () => idIssues(id),
        isRepeatable: true,
        result: nothing,
        settle: goneMeansDeleted,
      }),
      options,
    );
  }
}
