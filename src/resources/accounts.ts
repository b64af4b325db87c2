import { isRecord } from '../core/record.ts';
import type { ApiPromise } from '../core/api-promise.ts';
import type { Pager } from '../core/pager.ts';
import type { Execute, RequestOptions } from '../core/request.ts';
import {
  accountListAnswer,
  type Account,
  type AccountAccess,
  type PermissionResource,
  type RemovedAccess,
} from '../models/accounts.ts';
import { idIssues } from '../models/check.ts';
import { inAccount } from './paths.ts';
import { bareObject } from './results.ts';
import { wholeList } from './whole-list.ts';

/** Who has access to an account. `/api/account_accesses`, or under the account where one is known. */
export class AccountAccesses {
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /**
   * Lists users and invites with access to the account; they come at once. `GET …/account_accesses`
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<AccountAccess> {
    return wholeList<AccountAccess>(
      this.#execute,
      { operation: 'accounts.accesses.list', path: (context) => inAccount(context, 'account_accesses') },
      options,
    );
  }

  /**
   * Removes somebody's access. `DELETE …/account_accesses/{id}`; the answer is taken from the public reference.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  remove(id: number, options?: RequestOptions): ApiPromise<RemovedAccess> {
    return this.#execute(
      (context) => ({
        operation: 'accounts.accesses.remove',
        method: 'DELETE',
        host: 'api',
        path: inAccount(context, 'account_accesses/{id}'),
        pathParams: { id },
        check: () => idIssues(id),
        isRepeatable: true,
        // The specification shows no payload: a 2xx is a success without one.
        result: {
          kind: 'lenient',
          unwrap: (body) => (isRecord(body) ? (body as unknown as RemovedAccess) : { id }),
        },
        settle: { status: 404, resolve: () => Promise.resolve({ data: { id } }) },
      }),
      options,
    );
  }
}

/** What permissions can be given for. */
export class Permissions {
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
  }

  /**
   * Lists the things permissions can be given for, each with the things in it; they come at once.
   * `GET …/permissions` by the specification and, where that answers 404, `GET …/permissions/resources`, the public
   * reference's address.
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
      },
      options,
    );
  }
}

/** Accounts the token can see, who has access to them, and to what. */
export class Accounts {
  /** Who has access to an account. */
  readonly accesses: AccountAccesses;
  /** What permissions can be given for. */
  readonly permissions: Permissions;
  readonly #execute: Execute;

  /** @internal */
  constructor(execute: Execute) {
    this.#execute = execute;
    this.accesses = new AccountAccesses(execute);
    this.permissions = new Permissions(execute);
  }

  /**
   * Lists the accounts the token can see; they come at once. `GET /api/accounts`: the public reference's address, for the
   * one the specification gives lies under an account.
   *
   * @throws {@link AuthenticationError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<Account> {
    return wholeList<Account>(
      this.#execute,
      { operation: 'accounts.list', path: () => '/api/accounts', schema: accountListAnswer },
      options,
    );
  }

  /**
   * Reads one account. `GET /api/accounts/{id}`, which the specification lists and no public reference shows.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<Account> {
    return this.#execute(
      {
        operation: 'accounts.get',
        method: 'GET',
        host: 'api',
        path: '/api/accounts/{id}',
        pathParams: { id },
        check: () => idIssues(id),
        isRepeatable: true,
        result: bareObject<Account>(),
      },
      options,
    );
  }
}
