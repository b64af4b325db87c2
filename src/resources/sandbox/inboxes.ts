import { inboxes } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { SandboxInbox, SandboxInboxCreateParams, SandboxInboxUpdateParams } from './types.ts';
import { Resource } from '../base/resource.ts';

/**
 * Test inboxes of the sandbox. Every response contains the credentials of the inbox's mail servers; errors and hooks
 * never do. When an account is set, the paths have `inboxes`; otherwise `sandboxes`.
 */
export class SandboxInboxes extends Resource {
  /**
   * Lists every test inbox of every project, in one request. `GET /api/accounts/{account_id}/inboxes`, or
   * `GET /api/sandboxes` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<SandboxInbox> {
    return this.pages(inboxes().list, {}, options);
  }

  /**
   * Creates a test inbox in a project. `POST /api/accounts/{account_id}/projects/{project}/inboxes`, or
   * `POST /api/projects/{project}/sandboxes` when no account is set.
   *
   * Never retried when its outcome is unknown: a retry could create two inboxes.
   *
   * @param project - id of the project
   * @throws {@link ValidationError}, also when the plan allows no more inboxes; {@link NotFoundError},
   * {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(
    project: number,
    params: SandboxInboxCreateParams,
    options?: RequestOptions,
  ): ApiPromise<SandboxInbox> {
    return this.call(inboxes().create, { project }, options, params);
  }

  /**
   * Returns one test inbox. `GET /api/accounts/{account_id}/inboxes/{id}`, or `GET /api/sandboxes/{id}` when no account
   * is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<SandboxInbox> {
    return this.call(inboxes().get, { id }, options);
  }

  /**
   * Updates a test inbox; only the given fields change. `PATCH /api/accounts/{account_id}/inboxes/{id}`, or
   * `PATCH /api/sandboxes/{id}` when no account is set.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: SandboxInboxUpdateParams, options?: RequestOptions): ApiPromise<SandboxInbox> {
    return this.call(inboxes().update, { id }, options, params);
  }

  /**
   * Deletes a test inbox with its messages. `DELETE /api/accounts/{account_id}/inboxes/{id}`, or
   * `DELETE /api/sandboxes/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<Pick<SandboxInbox, 'id'>> {
    return this.call(inboxes().delete, { id }, options);
  }

  /**
   * Deletes every message in a test inbox. `PATCH /api/accounts/{account_id}/inboxes/{id}/clean`, or
   * `PATCH /api/sandboxes/{id}/clean` when no account is set.
   *
   * Never retried when its outcome is unknown: a retry would also delete messages that arrived in the meantime.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  clean(id: number, options?: RequestOptions): ApiPromise<SandboxInbox> {
    return this.call(inboxes().clean, { id }, options);
  }

  /**
   * Marks every message in a test inbox as read. `PATCH /api/accounts/{account_id}/inboxes/{id}/all_read`, or
   * `PATCH /api/sandboxes/{id}/all_read` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  markAllRead(id: number, options?: RequestOptions): ApiPromise<SandboxInbox> {
    return this.call(inboxes().markAllRead, { id }, options);
  }

  /**
   * Gives a test inbox new credentials for SMTP and POP3; the previous ones stop working. `PATCH
   * /api/accounts/{account_id}/inboxes/{id}/reset_credentials`, or `PATCH /api/sandboxes/{id}/reset_credentials` when
   * no account is set.
   *
   * Never retried when its outcome is unknown: a retry would change the credentials again. Read the inbox then.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  resetCredentials(id: number, options?: RequestOptions): ApiPromise<SandboxInbox> {
    return this.call(inboxes().resetCredentials, { id }, options);
  }

  /**
   * Switches a test inbox's own email address on or off; `email_username_enabled` of the result is the new state.
   * `PATCH /api/accounts/{account_id}/inboxes/{id}/toggle_email_username`, or `PATCH
   * /api/sandboxes/{id}/toggle_email_username` when no account is set.
   *
   * Never retried when its outcome is unknown: a retry would switch it back. Read the inbox then.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  toggleEmailAddress(id: number, options?: RequestOptions): ApiPromise<SandboxInbox> {
    return this.call(inboxes().toggleEmailAddress, { id }, options);
  }

  /**
   * Gives a test inbox a new email address; it no longer receives email to the previous one. `PATCH
   * /api/accounts/{account_id}/inboxes/{id}/reset_email_username`, or `PATCH /api/sandboxes/{id}/reset_email_username`
   * when no account is set.
   *
   * Never retried when its outcome is unknown: a retry would change the address again. Read the inbox then.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  resetEmailAddress(id: number, options?: RequestOptions): ApiPromise<SandboxInbox> {
    return this.call(inboxes().resetEmailAddress, { id }, options);
  }
}
