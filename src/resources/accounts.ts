import { NotFoundError } from '../core/api-errors.ts';
import type { ApiPromise } from '../core/api-promise.ts';
import { Pager } from '../core/pager.ts';
import { isRecord } from '../core/record.ts';
import type { RequestOptions } from '../core/request.ts';
import type { Account, AccountAccess, PermissionResource, RemovedAccess } from '../models/accounts.ts';
import { orElse } from './or-else.ts';
import { bareObject, wholeList, type Reader } from './readers.ts';
import { Resource } from './resource.ts';

const account = { result: bareObject<Account>(), schema: 'account' as const };
const accounts = { ...wholeList<Account>(), schema: 'accountList' as const };
const accesses = { ...wholeList<AccountAccess>(), schema: 'accountAccessList' as const };
const permissions = { ...wholeList<PermissionResource>(), schema: 'permissionResourceList' as const };

/** The specification shows no payload: a 2xx without one is a success. */
const removed = (id: number): Reader<RemovedAccess> => ({
  result: {
    kind: 'lenient',
    unwrap: (body) => (isRecord(body) ? (body as unknown as RemovedAccess) : { id }),
  },
  schema: 'removedAccess',
  settle: { status: 404, resolve: () => Promise.resolve({ data: { id } }) },
});

/**
 * Who has access to an account.
 *
 * Every method may also throw {@link InvalidRequestError}, {@link ConnectionError}, {@link TimeoutError},
 * {@link AbortedError}, {@link ServerError}, {@link ResponseFormatError} or {@link ConfigurationError}.
 */
export class AccountAccesses extends Resource {
  /**
   * Lists the users and invites with access to the account, in one request.
   * `GET /api/accounts/{account_id}/account_accesses`, or `GET /api/account_accesses` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<AccountAccess> {
    return this.pages('accounts.accesses.list', 'GET {account}/account_accesses', {}, accesses, options);
  }

  /**
   * Removes an access.
   * `DELETE /api/accounts/{account_id}/account_accesses/{id}`, or `DELETE /api/account_accesses/{id}` when no account
   * is set. The response is not in the specification; taken from the service's public API reference.
   *
   * @param id - id of the access, not of the user, invite or token
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  remove(id: number, options?: RequestOptions): ApiPromise<RemovedAccess> {
    const endpoint = 'DELETE {account}/account_accesses/{id}';
    return this.call('accounts.accesses.remove', endpoint, { id }, removed(id), options);
  }
}

/**
 * Resources that permissions can be granted for.
 *
 * Every method may also throw {@link InvalidRequestError}, {@link ConnectionError}, {@link TimeoutError},
 * {@link AbortedError}, {@link ServerError}, {@link ResponseFormatError} or {@link ConfigurationError}.
 */
export class Permissions extends Resource {
  /**
   * Lists the resources that permissions can be granted for, each with the resources in it, in one request.
   * `GET /api/accounts/{account_id}/permissions` as in the specification and, if that returns 404,
   * `GET /api/accounts/{account_id}/permissions/resources` as in the service's public API reference. When no account is
   * set, `/api/permissions` and `/api/permissions/resources`.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<PermissionResource> {
    const operation = 'accounts.permissions.list';
    const read = (path: 'permissions' | 'permissions/resources') =>
      this.call(operation, `GET {account}/${path}`, {}, permissions, options);
    const fetch = () => orElse(read('permissions'), NotFoundError, () => read('permissions/resources'));
    return new Pager(fetch, { operation, ...permissions });
  }
}

/**
 * Accounts the token can see, who has access to them, and what permissions can be granted for.
 *
 * Every method may also throw {@link InvalidRequestError}, {@link ConnectionError}, {@link TimeoutError},
 * {@link AbortedError}, {@link ServerError}, {@link ResponseFormatError} or {@link ConfigurationError}.
 */
export class Accounts extends Resource {
  #accesses: AccountAccesses | undefined;
  #permissions: Permissions | undefined;

  /** Who has access to an account. */
  get accesses(): AccountAccesses {
    return (this.#accesses ??= new AccountAccesses(this.execute));
  }

  /** Resources that permissions can be granted for. */
  get permissions(): Permissions {
    return (this.#permissions ??= new Permissions(this.execute));
  }

  /**
   * Lists the accounts the token can see, in one request. `GET /api/accounts`, taken from the service's public API
   * reference; the path in the specification lies under an account.
   *
   * @throws {@link AuthenticationError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<Account> {
    return this.pages('accounts.list', 'GET /api/accounts', {}, accounts, options);
  }

  /**
   * Returns one account. `GET /api/accounts/{id}`, which is in the specification but not in the service's public API
   * reference.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<Account> {
    return this.call('accounts.get', 'GET /api/accounts/{id}', { id }, account, options);
  }
}
