import { fields } from './endpoints.ts';
import { ensure } from './ensure.ts';
import { contactFieldCreateRule } from './rules.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { ContactField, ContactFieldCreateParams, ContactFieldUpdateParams } from './types.ts';
import { wrongArgument } from '../../core/errors.ts';
import { isRecord } from '../../core/record.ts';
import { takenArgument } from '../../core/request-options.ts';
import { paramIssues } from '../base/param-rules.ts';
import { Resource } from '../base/resource.ts';

/** Fields that contacts have besides their email address. An account has at most 40. */
export class ContactFields extends Resource {
  /**
   * Lists every contact field, in one request. `GET /api/accounts/{account_id}/contacts/fields`, or
   * `GET /api/contacts/fields` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<ContactField> {
    return this.pages(fields().list, {}, options);
  }

  /**
   * Creates a field. `POST /api/accounts/{account_id}/contacts/fields`, or `POST /api/contacts/fields` when no account is
   * set.
   *
   * Never retried when its outcome is unknown.
   *
   * @throws {@link ValidationError} for rejected fields or beyond 40 fields, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: ContactFieldCreateParams, options?: RequestOptions): ApiPromise<ContactField> {
    return this.call(fields().create, {}, options, params);
  }

  /**
   * Returns the field with this `merge_tag`, and creates it if there is none. Calls {@link ContactFields.list}, and at
   * most once {@link ContactFields.create}. An existing field stays as it is, even if it has another name.
   *
   * Safe to call from several processes at once: the service has one field for a merge tag. Safe to call again after
   * every error.
   *
   * @example
   * ```ts
   * await client.contacts.fields.ensure({ name: 'City', data_type: 'text', merge_tag: 'city' });
   * ```
   * @throws {@link InvalidRequestError} before a request is sent, or if the existing field has another `data_type`; and
   * whatever `list` and `create` throw
   */
  async ensure(params: ContactFieldCreateParams, options?: RequestOptions): Promise<ContactField> {
    const operation = 'contacts.fields.ensure';
    // A shallow copy is enough: its fields are texts.
    const copy = takenArgument(operation, params);
    const field = await ensure(
      this.runtime,
      {
        operation,
        check: () => paramIssues(contactFieldCreateRule(), copy),
        find: async (left) => {
          const found = await this.list(left).toArray();
          return found.filter((one) => isRecord(one) && one.merge_tag === copy.merge_tag);
        },
        create: (left) => this.create(copy, left),
        remove: (id, left) => this.delete(id, left),
      },
      options,
    );
    if (field.data_type !== copy.data_type)
      throw wrongArgument(
        operation,
        'data_type',
        'must be the data_type of the existing field with this merge_tag, which cannot change',
      );
    return field;
  }

  /**
   * Returns one field. `GET /api/accounts/{account_id}/contacts/fields/{id}`, or `GET /api/contacts/fields/{id}` when no
   * account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<ContactField> {
    return this.call(fields().get, { id }, options);
  }

  /**
   * Updates the name or the merge tag of a field. `PATCH /api/accounts/{account_id}/contacts/fields/{id}`, or
   * `PATCH /api/contacts/fields/{id}` when no account is set.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: ContactFieldUpdateParams, options?: RequestOptions): ApiPromise<ContactField> {
    return this.call(fields().update, { id }, options, params);
  }

  /**
   * Deletes a field. `DELETE /api/accounts/{account_id}/contacts/fields/{id}`, or `DELETE /api/contacts/fields/{id}` when
   * no account is set.
   *
   * @throws {@link ValidationError} with the key `usage` while something refers to the field, {@link NotFoundError},
   * {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(fields().delete, { id }, options);
  }
}
