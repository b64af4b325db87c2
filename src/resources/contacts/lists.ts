import { lists } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { ContactList, ContactListListParams, ContactListParams } from './types.ts';
import { Resource } from '../resource.ts';

/** Lists of contacts, which campaigns are sent to. A contact is put on a list by updating or importing the contact. */
export class ContactLists extends Resource {
  /**
   * Lists every contact list, in one request. `GET /api/accounts/{account_id}/contacts/lists`, or
   * `GET /api/contacts/lists` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(params: ContactListListParams = {}, options?: RequestOptions): Pager<ContactList> {
    return this.pages(lists.list, {}, options, params);
  }

  /**
   * Creates a list. `POST /api/accounts/{account_id}/contacts/lists`, or `POST /api/contacts/lists` when no account is
   * set.
   *
   * Never retried when its outcome is unknown: there could then be two lists.
   *
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: ContactListParams, options?: RequestOptions): ApiPromise<ContactList> {
    return this.call(lists.create, {}, options, params);
  }

  /**
   * Returns one list. `GET /api/accounts/{account_id}/contacts/lists/{id}`, or `GET /api/contacts/lists/{id}` when no
   * account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<ContactList> {
    return this.call(lists.get, { id }, options);
  }

  /**
   * Renames a list. `PATCH /api/accounts/{account_id}/contacts/lists/{id}`, or `PATCH /api/contacts/lists/{id}` when no
   * account is set.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: ContactListParams, options?: RequestOptions): ApiPromise<ContactList> {
    return this.call(lists.update, { id }, options, params);
  }

  /**
   * Deletes a list; its contacts stay. `DELETE /api/accounts/{account_id}/contacts/lists/{id}`, or
   * `DELETE /api/contacts/lists/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(lists.delete, { id }, options);
  }
}
