import type { ApiPromise } from '../../core/api-promise.ts';
import { tried } from '../../core/rules.ts';
import { isRecord } from '../../core/record.ts';
import type { RequestOptions } from '../../core/request.ts';
import { contactCreateRule, contactUpdateRule, contactEventRule } from './rules.ts';
import type {
  Contact,
  ContactCreateParams,
  ContactEvent,
  ContactEventCreateParams,
  ContactUpdateParams,
  ContactUpdateResult,
} from './types.ts';
import { ContactExports } from './exports.ts';
import { ContactFields } from './fields.ts';
import { ContactImports } from './imports.ts';
import { ContactLists } from './lists.ts';
import { deleted, objectReader } from '../readers.ts';
import { Resource, wrappedIn } from '../resource.ts';

const contactReader = objectReader<Contact>('contact', 'data');
const updated = objectReader<ContactUpdateResult>('contactUpdateResult', undefined, ({ data }) =>
  isRecord(data),
);
const event = objectReader<ContactEvent>('contactEvent');
const wrapped = wrappedIn('contact');

/**
 * Contacts, who campaigns are sent to. A contact is named by its id or its email address. No endpoint lists all
 * contacts: export them. Every call counts against the rate limit pool `contacts`.
 */
export class Contacts extends Resource {
  /** @internal */
  protected override readonly group = 'contacts';

  /** Lists of contacts, which campaigns are sent to. */
  get lists(): ContactLists {
    return this.part(ContactLists);
  }

  /** Fields that contacts have besides their email address. */
  get fields(): ContactFields {
    return this.part(ContactFields);
  }

  /** Creating and updating many contacts at once. */
  get imports(): ContactImports {
    return this.part(ContactImports);
  }

  /** Contacts as a file. */
  get exports(): ContactExports {
    return this.part(ContactExports);
  }

  /**
   * Creates a contact. `POST /api/accounts/{account_id}/contacts`, or `POST /api/contacts` when no account is set.
   *
   * Never retried when its outcome is unknown; {@link Contacts.update} creates a contact too, and is.
   *
   * @throws {@link ValidationError} for rejected fields or an address that a contact has already,
   * {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: ContactCreateParams, options?: RequestOptions): ApiPromise<Contact> {
    return this.call('create', 'POST {account}/contacts', {}, contactReader, options, {
      params,
      rule: contactCreateRule,
      as: wrapped,
    });
  }

  /**
   * Returns one contact. `GET /api/accounts/{account_id}/contacts/{contact}`, or `GET /api/contacts/{contact}` when no
   * account is set.
   *
   * @param contact - its id or email address
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(contact: string, options?: RequestOptions): ApiPromise<Contact> {
    return this.call('get', 'GET {account}/contacts/{contact:contact}', { contact }, contactReader, options);
  }

  /**
   * Updates a contact, or creates it if there is none (an upsert): only what is given changes, and the result's `action`
   * says which it was. `PATCH /api/accounts/{account_id}/contacts/{contact}`, or `PATCH /api/contacts/{contact}` when no
   * account is set.
   *
   * @param contact - its id or email address
   * @example
   * ```ts
   * const { data, action } = await client.contacts.update('ann@example.org', { list_ids_included: [7] });
   * ```
   * @throws {@link ValidationError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError};
   * never {@link NotFoundError}
   */
  update(
    contact: string,
    params: ContactUpdateParams,
    options?: RequestOptions,
  ): ApiPromise<ContactUpdateResult> {
    return this.call('update', 'PATCH {account}/contacts/{contact:contact}', { contact }, updated, options, {
      // Sent twice, a change of the address it was looked up by would find no contact, and create one.
      repeatable: tried(() => [undefined, contact].includes(params.email), false),
      params,
      rule: contactUpdateRule,
      as: wrapped,
    });
  }

  /**
   * Deletes a contact. `DELETE /api/accounts/{account_id}/contacts/{contact}`, or `DELETE /api/contacts/{contact}` when
   * no account is set.
   *
   * @param contact - its id or email address
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(contact: string, options?: RequestOptions): ApiPromise<void> {
    return this.call('delete', 'DELETE {account}/contacts/{contact:contact}', { contact }, deleted, options);
  }

  /**
   * Records that a contact did something, which may start an automation.
   * `POST /api/accounts/{account_id}/contacts/{contact}/events`, or `POST /api/contacts/{contact}/events` when no account
   * is set.
   *
   * Never retried when its outcome is unknown: the event would be recorded twice.
   *
   * @param contact - its id or email address
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  createEvent(
    contact: string,
    params: ContactEventCreateParams,
    options?: RequestOptions,
  ): ApiPromise<ContactEvent> {
    const endpoint = 'POST {account}/contacts/{contact:contact}/events';
    return this.call('createEvent', endpoint, { contact }, event, options, {
      params,
      rule: contactEventRule,
    });
  }
}
