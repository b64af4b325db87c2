import { fields } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import type { ContactField, ContactFieldCreateParams, ContactFieldUpdateParams } from './types.ts';
import { Resource } from '../resource.ts';

/** Fields that contacts have besides their email address. An account has at most 40. */
export class ContactFields extends Resource {
  /**
   * Lists every contact field, in one request. `GET /api/accounts/{account_id}/contacts/fields`, or
   * `GET /api/contacts/fields` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<ContactField> {
    return this.pages(fields.list, {}, options);
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
    return this.call(fields.create, {}, options, params);
  }

  /**
   * Returns one field. `GET /api/accounts/{account_id}/contacts/fields/{id}`, or `GET /api/contacts/fields/{id}` when no
   * account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<ContactField> {
    return this.call(fields.get, { id }, options);
  }

  /**
   * Updates the name or the merge tag of a field. `PATCH /api/accounts/{account_id}/contacts/fields/{id}`, or
   * `PATCH /api/contacts/fields/{id}` when no account is set.
   *
   * @throws {@link ValidationError}, {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError},
   * {@link RateLimitError}
   */
  update(id: number, params: ContactFieldUpdateParams, options?: RequestOptions): ApiPromise<ContactField> {
    return this.call(fields.update, { id }, options, params);
  }

  /**
   * Deletes a field. `DELETE /api/accounts/{account_id}/contacts/fields/{id}`, or `DELETE /api/contacts/fields/{id}` when
   * no account is set.
   *
   * @throws {@link ValidationError} with the key `usage` while something refers to the field, {@link NotFoundError},
   * {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(fields.delete, { id }, options);
  }
}
