import { lists } from './endpoints.ts';
import { ensure } from './ensure.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { ContactList, ContactListListParams, ContactListParams } from './types.ts';
import { isRecord } from '../../core/record.ts';
import { stringRule, type Rule } from '../../core/rules.ts';
import { paramIssues } from '../base/param-rules.ts';
import { Resource } from '../base/resource.ts';

/** The name of a list, which other methods take in an object. */
const nameAlone: Rule = (name) => {
  const issue = stringRule(name);
  return typeof issue === 'string' && isRecord(name) ? `${issue}: pass the name alone` : issue;
};

/** Lists of contacts, the audiences of campaigns. To put a contact on a list, update or import the contact. */
export class ContactLists extends Resource {
  /**
   * Lists every contact list, in one request. `GET /api/accounts/{account_id}/contacts/lists`, or
   * `GET /api/contacts/lists` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(params: ContactListListParams = {}, options?: RequestOptions): Pager<ContactList> {
    return this.pages(lists().list, {}, options, params);
  }

  /**
   * Creates a list. `POST /api/accounts/{account_id}/contacts/lists`, or `POST /api/contacts/lists` when no account is
   * set.
   *
   * Never retried when its outcome is unknown: a retry could create two lists.
   *
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: ContactListParams, options?: RequestOptions): ApiPromise<ContactList> {
    return this.call(lists().create, {}, options, params);
  }

  /**
   * Returns the list with this name, and creates it if there is none. Calls {@link ContactLists.list}, and at most once
   * {@link ContactLists.create}.
   *
   * The service allows several lists with one name. Simultaneous calls all return the same list, the oldest, and remove
   * the others that they created. Safe to call again after every error.
   *
   * @param name - the whole name, in the same upper and lower case
   * @example
   * ```ts
   * const readers = await client.contacts.lists.ensure('Readers');
   * await client.contacts.update('ann@example.org', { list_ids_included: [readers.id] });
   * ```
   * @throws {@link InvalidRequestError} before a request is sent, and whatever `list` and `create` throw
   */
  ensure(name: string, options?: RequestOptions): Promise<ContactList> {
    return ensure(
      this.runtime,
      {
        operation: 'contacts.lists.ensure',
        check: () => paramIssues(nameAlone, name, 'name'),
        find: async (left) => {
          const found = await this.list({ search: name }, left).toArray();
          return found.filter((list) => isRecord(list) && list.name === name);
        },
        create: (left) => this.create({ name }, left),
        remove: (id, left) => this.delete(id, left),
      },
      options,
    );
  }

  /**
   * Returns one list. `GET /api/accounts/{account_id}/contacts/lists/{id}`, or `GET /api/contacts/lists/{id}` when no
   * account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<ContactList> {
    return this.call(lists().get, { id }, options);
  }

  /**
   * Renames a list. `PATCH /api/accounts/{account_id}/contacts/lists/{id}`, or `PATCH /api/contacts/lists/{id}` when no
   * account is set.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: ContactListParams, options?: RequestOptions): ApiPromise<ContactList> {
    return this.call(lists().update, { id }, options, params);
  }

  /**
   * Deletes a list; its contacts stay. `DELETE /api/accounts/{account_id}/contacts/lists/{id}`, or
   * `DELETE /api/contacts/lists/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(lists().delete, { id }, options);
  }
}
