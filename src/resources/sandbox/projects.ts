import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { nameRule } from '../param-rules.ts';
import type { SandboxProject, SandboxProjectParams } from './types.ts';
import { named, objectAndList, removed } from '../readers.ts';
import { Resource, wrappedIn } from '../resource.ts';

const asProject = named('inboxes', 'sandboxes');
const [project, projects] = objectAndList<SandboxProject>('sandboxProject', asProject);
const wrapped = wrappedIn('project');

/** Projects of the sandbox: groups of test inboxes. Responses contain the credentials of the inboxes. */
export class SandboxProjects extends Resource {
  /** @internal */
  protected override readonly group = 'sandbox.projects';

  /**
   * Lists every project, with its inboxes, in one request. `GET /api/accounts/{account_id}/projects`, or
   * `GET /api/projects` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<SandboxProject> {
    return this.pages('list', 'GET {account}/projects', {}, projects, options);
  }

  /**
   * Creates a project. `POST /api/accounts/{account_id}/projects`, or `POST /api/projects` when no account is set.
   *
   * Never retried when its outcome is unknown: there could then be two projects.
   *
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: SandboxProjectParams, options?: RequestOptions): ApiPromise<SandboxProject> {
    return this.call('create', 'POST {account}/projects', {}, project, options, {
      params,
      rule: nameRule,
      as: wrapped,
    });
  }

  /**
   * Returns one project with its inboxes. `GET /api/accounts/{account_id}/projects/{id}`, or `GET /api/projects/{id}`
   * when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<SandboxProject> {
    return this.call('get', 'GET {account}/projects/{id}', { id }, project, options);
  }

  /**
   * Renames a project. `PATCH /api/accounts/{account_id}/projects/{id}`, or `PATCH /api/projects/{id}` when no account is
   * set.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: SandboxProjectParams, options?: RequestOptions): ApiPromise<SandboxProject> {
    return this.call('update', 'PATCH {account}/projects/{id}', { id }, project, options, {
      repeatable: true,
      params,
      rule: nameRule,
      as: wrapped,
    });
  }

  /**
   * Deletes a project with its inboxes and their messages. `DELETE /api/accounts/{account_id}/projects/{id}`, or
   * `DELETE /api/projects/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<Pick<SandboxProject, 'id'>> {
    return this.call('delete', 'DELETE {account}/projects/{id}', { id }, removed(id), options);
  }
}
