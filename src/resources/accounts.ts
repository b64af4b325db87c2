import { isRecord } from '../core/record.ts';
import type { ApiPromise } from '../core/api-promise.ts';
import type { Pager } from '../core/pager.ts';
import type { Execute, RequestOptions } from '../core/request.ts';
import type { Account, AccountAccess, PermissionResource, RemovedAccess } from '../models/accounts.ts';
import { byId } from './by-id.ts';
import { inAccount } from './paths.ts';
import { bareObject } from './results.ts';
import { wholeList } from './whole-list.ts';

/**
 * Who has access to an account.
 *
 * Every method may also throw {@link InvalidRequestError}, {@link ConnectionError}, {@link TimeoutError},
 * {@link AbortedError}, {@link ServerError}, {@link ResponseFormatError} or {@link ConfigurationError}.
 */
export class AccountAccesses {
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /**
   * Lists the users and invites with access to the account, in one request.
   * `GET /api/accounts/{account_id}/account_accesses`, or `GET /api/account_accesses` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<AccountAccess> {
    return wholeList<AccountAccess>(
      this.#execute,
      {
        operation: 'accounts.accesses.list',
        path: (context) => inAccount(context, 'account_accesses'),
        schema: 'accountAccessList',
      },
      options,
    );
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
    return this.#execute(
      (context) => ({
        ...byId(id, {
          operation: 'accounts.accesses.remove',
          method: 'DELETE',
          path: inAccount(context, 'account_accesses/{id}'),
        }),
        // The specification shows no payload: a 2xx without one is a success.
        result: {
          kind: 'lenient',
          unwrap: (body) => (isRecord(body) ? (body as unknown as RemovedAccess) : { id }),
        },
        schema: 'removedAccess',
        settle: { status: 404, resolve: () => Promise.resolve({ data: { id } }) },
      }),
      options,
    );
  }
}

/**
 * Resources that permissions can be granted for.
 *
 * Every method may also throw {@link InvalidRequestError}, {@link ConnectionError}, {@link TimeoutError},
 * {@link AbortedError}, {@link ServerError}, {@link ResponseFormatError} or {@link ConfigurationError}.
 */
export class Permissions {
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /**
   * Lists the resources that permissions can be granted for, each with the resources in it, in one request.
   * `GET /api/accounts/{account_id}/permissions` as in the specification and, if that returns 404,
   * `GET /api/accounts/{account_id}/permissions/resources` as in the service's public API reference. When no account is
   * set, `/api/permissions` and `/api/permissions/resources`.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<PermissionResource> {
    return wholeList<PermissionResource>(
      this.#execute,
      {
        operation: 'accounts.permissions.list',
        path: (context) => inAccount(context, 'permissions'),
        fallbackPath: (context) => inAccount(context, 'permissions/resources'),
        schema: 'permissionResourceList',
      },
      options,
    );
  }
}

/**
 * Accounts the token can see, who has access to them, and what permissions can be granted for.
 *
 * Every method may also throw {@link InvalidRequestError}, {@link ConnectionError}, {@link TimeoutError},
 * {@link AbortedError}, {@link ServerError}, {@link ResponseFormatError} or {@link ConfigurationError}.
 */
export class Accounts {
  /** Who has access to an account. */
  readonly accesses: AccountAccesses;
  /** Resources that permissions can be granted for. */
  readonly permissions: Permissions;
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
    this.accesses = new AccountAccesses(execute);
    this.permissions = new Permissions(execute);
  }

  /**
   * Lists the accounts the token can see, in one request. `GET /api/accounts`, taken from the service's public API
   * reference; the path in the specification lies under an account.
   *
   * @throws {@link AuthenticationError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<Account> {
    return wholeList<Account>(
      this.#execute,
      { operation: 'accounts.list', path: () => '/api/accounts', schema: 'accountList' },
      options,
    );
  }

  /**
   * Returns one account. `GET /api/accounts/{id}`, which is in the specification but not in the service's public API
   * reference.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<Account> {
    return this.#execute(
      {
        ...byId(id, { operation: 'accounts.get', method: 'GET', path: '/api/accounts/{id}' }),
        result: bareObject<Account>(),
        schema: 'account',
      },
      options,
    );
  }
}
