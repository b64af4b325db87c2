import { projects } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { SandboxProject, SandboxProjectParams } from './types.ts';
import { Resource } from '../base/resource.ts';

/** Projects of the sandbox: groups of test inboxes. Responses contain the credentials of the inboxes. */
export class SandboxProjects extends Resource {
  /**
   * Lists every project, with its inboxes, in one request. `GET /api/accounts/{account_id}/projects`, or
   * `GET /api/projects` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<SandboxProject> {
    return this.pages(projects().list, {}, options);
  }

  /**
   * Creates a project. `POST /api/accounts/{account_id}/projects`, or `POST /api/projects` when no account is set.
   *
   * Never retried when its outcome is unknown: a retry could create two projects.
   *
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: SandboxProjectParams, options?: RequestOptions): ApiPromise<SandboxProject> {
    return this.call(projects().create, {}, options, params);
  }

  /**
   * Returns one project with its inboxes. `GET /api/accounts/{account_id}/projects/{id}`, or `GET /api/projects/{id}`
   * when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<SandboxProject> {
    return this.call(projects().get, { id }, options);
  }

  /**
   * Renames a project. `PATCH /api/accounts/{account_id}/projects/{id}`, or `PATCH /api/projects/{id}` when no account is
   * set.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: SandboxProjectParams, options?: RequestOptions): ApiPromise<SandboxProject> {
    return this.call(projects().update, { id }, options, params);
  }

  /**
   * Deletes a project with its inboxes and their messages. `DELETE /api/accounts/{account_id}/projects/{id}`, or
   * `DELETE /api/projects/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<Pick<SandboxProject, 'id'>> {
    return this.call(projects().delete, { id }, options);
  }
}
