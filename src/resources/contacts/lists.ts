import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { nameRule } from '../param-rules.ts';
import { contactListListRule } from './rules.ts';
import type { ContactList, ContactListListParams, ContactListParams } from './types.ts';
import { deleted, objectAndList } from '../readers.ts';
import { Resource } from '../resource.ts';

const [list, lists] = objectAndList<ContactList>('contactList');

/** Lists of contacts, which campaigns are sent to. A contact is put on a list by updating or importing the contact. */
export class ContactLists extends Resource {
  /** @internal */
  protected override readonly group = 'contacts.lists';

  /**
   * Lists every contact list, in one request. `GET /api/accounts/{account_id}/contacts/lists`, or
   * `GET /api/contacts/lists` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(params: ContactListListParams = {}, options?: RequestOptions): Pager<ContactList> {
    return this.pages('list', 'GET {account}/contacts/lists', {}, lists, options, {
      params,
      rule: contactListListRule,
    });
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
    return this.call('create', 'POST {account}/contacts/lists', {}, list, options, {
      params,
      rule: nameRule,
    });
  }

  /**
   * Returns one list. `GET /api/accounts/{account_id}/contacts/lists/{id}`, or `GET /api/contacts/lists/{id}` when no
   * account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<ContactList> {
    return this.call('get', 'GET {account}/contacts/lists/{id}', { id }, list, options);
  }

  /**
   * Renames a list. `PATCH /api/accounts/{account_id}/contacts/lists/{id}`, or `PATCH /api/contacts/lists/{id}` when no
   * account is set.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: ContactListParams, options?: RequestOptions): ApiPromise<ContactList> {
    return this.call('update', 'PATCH {account}/contacts/lists/{id}', { id }, list, options, {
      repeatable: true,
      params,
      rule: nameRule,
    });
  }

  /**
   * Deletes a list; its contacts stay. `DELETE /api/accounts/{account_id}/contacts/lists/{id}`, or
   * `DELETE /api/contacts/lists/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call('delete', 'DELETE {account}/contacts/lists/{id}', { id }, deleted, options);
  }
}
