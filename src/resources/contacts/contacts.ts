import { contacts } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { RequestOptions } from '../../core/request.ts';
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
import { Resource } from '../base/resource.ts';

/**
 * Contacts, the recipients of campaigns. A contact is identified by its id or its email address. No endpoint lists all
 * contacts: export them. Every call counts against the rate limit pool `contacts`.
 */
export class Contacts extends Resource {
  /** Lists of contacts, the audiences of campaigns. */
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
   * Never retried when its outcome is unknown; {@link Contacts.update} also creates a contact, and is retried.
   *
   * @throws {@link ValidationError} for rejected fields or an address that a contact has already,
   * {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: ContactCreateParams, options?: RequestOptions): ApiPromise<Contact> {
    return this.call(contacts().create, {}, options, params);
  }

  /**
   * Returns one contact. `GET /api/accounts/{account_id}/contacts/{contact}`, or `GET /api/contacts/{contact}` when no
   * account is set.
   *
   * @param contact - its id or email address
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(contact: string, options?: RequestOptions): ApiPromise<Contact> {
    return this.call(contacts().get, { contact }, options);
  }

  /**
   * Updates a contact, or creates it if there is none (an upsert). Only the given fields change; the result's `action`
   * is `updated` or `created`. `PATCH /api/accounts/{account_id}/contacts/{contact}`, or `PATCH
   * /api/contacts/{contact}` when no account is set.
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
    return this.call(contacts().update, { contact }, options, params);
  }

  /**
   * Deletes a contact. `DELETE /api/accounts/{account_id}/contacts/{contact}`, or `DELETE /api/contacts/{contact}` when
   * no account is set.
   *
   * @param contact - its id or email address
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(contact: string, options?: RequestOptions): ApiPromise<void> {
    return this.call(contacts().delete, { contact }, options);
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
    return this.call(contacts().createEvent, { contact }, options, params);
  }
}
