import type { ApiPromise, WithResponse } from '../../core/api-promise.ts';
import type { CallSite } from '../../core/call-site.ts';
import { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type {
  Account,
  AccountAccess,
  AccountAccessListParams,
  PermissionChange,
  PermissionResource,
  PermissionsUpdated,
  RemovedAccess,
} from './types.ts';
import { TwoForms } from '../base/either.ts';
import { Resource } from '../base/resource.ts';
import { accesses, accounts, permissions } from './endpoints.ts';

/** The accesses to an account. */
export class AccountAccesses extends Resource {
  /**
   * Lists the users and invites with access to the account, or to some of its resources, in one request.
   * `GET /api/accounts/{account_id}/account_accesses`, or `GET /api/account_accesses` when no account is set.
   *
   * @throws {@link InvalidRequestError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  list(params: AccountAccessListParams = {}, options?: RequestOptions): Pager<AccountAccess> {
    return this.pages(accesses().list, {}, options, params);
  }

  /**
   * Removes an access. `DELETE /api/accounts/{account_id}/account_accesses/{id}`, or
   * `DELETE /api/account_accesses/{id}` when no account is set.
   *
   * @param id - id of the access, not of the user, invite or token
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  remove(id: number, options?: RequestOptions): ApiPromise<RemovedAccess> {
    return this.call(accesses().remove, { id }, options);
  }
}

/** Resources that permissions can be granted for, and the permissions of accesses. */
export class Permissions extends Resource {
  readonly #forms = new TwoForms();

  /**
   * Lists the resources that permissions can be granted for, each with the resources in it, in one request. `GET
   * /api/accounts/{account_id}/permissions` and, if that returns 404, `GET
   * /api/accounts/{account_id}/permissions/resources`; the client remembers which of the two exists. When no account is
   * set, `/api/permissions` and `/api/permissions/resources`.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<PermissionResource> {
    const first = () => this.call(permissions().list.plain, {}, options).withResponse();
    const second = (left?: RequestOptions) =>
      this.call(permissions().list.resources, {}, left).withResponse();
    const ask = (_: unknown, at: CallSite) => this.#forms.read(first, second, options, at);
    const { operation, decoder } = permissions().list.plain;
    return new Pager<PermissionResource>(ask, operation, decoder);
  }

  /**
   * Grants, changes and removes permissions of one access, all in one request; other permissions stay. `PUT
   * /api/accounts/{account_id}/account_accesses/{accessId}/permissions/bulk`, or `PUT
   * /api/account_accesses/{accessId}/permissions/bulk` when no account is set.
   *
   * @param accessId - id of the access, from `accounts.accesses.list`
   * @example
   * ```ts
   * await client.accounts.permissions.updateAll(access.id, [
   *   { resource_type: 'domain', resource_id: 301, access_level: 100 },
   *   { resource_type: 'inbox', resource_id: 2001, _destroy: true },
   * ]);
   * ```
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  updateAll(
    accessId: number,
    changes: readonly PermissionChange[],
    options?: RequestOptions,
  ): ApiPromise<PermissionsUpdated> {
    return this.call(permissions().updateAll, { accessId }, options, { permissions: changes });
  }
}

/** Accounts the token can see, the accesses to them, and the resources for which permissions can be granted. */
export class Accounts extends Resource {
  readonly #forms = new TwoForms();

  /** The accesses to an account. */
  get accesses(): AccountAccesses {
    return this.part(AccountAccesses);
  }

  /** Resources that permissions can be granted for, and the permissions of accesses. */
  get permissions(): Permissions {
    return this.part(Permissions);
  }

  /**
   * Lists the accounts the token can see, in one request. `GET /api/accounts`.
   *
   * @throws {@link AuthenticationError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<Account> {
    return this.pages(accounts().list, {}, options);
  }

  /**
   * Returns one account. `GET /api/accounts/{id}`; if that returns 404, the account is looked up in `GET
   * /api/accounts`, and the client remembers which of the two worked.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<Account> {
    const one = () => this.call(accounts().get.one, { id }, options).withResponse();
    return this.#forms.read(one, (left) => this.#inList(id, left), options);
  }

  async #inList(id: number, options?: RequestOptions): Promise<WithResponse<Account> | undefined> {
    const list = this.call(accounts().get.inList, {}, options, { id });
    const { data, response } = await list.withResponse();
    const found = data.items?.find((each: Account | null) => each?.id === id);
    return found && { data: found, response };
  }
}
