import { sendingDomains } from './endpoints.ts';
import type { ApiPromise } from '../../core/api-promise.ts';
import { unreadable } from '../../core/errors.ts';
import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { tried } from '../../core/tried.ts';
import type {
  SendingDomain,
  SendingDomainCreateParams,
  SendingDomainPage,
  SendingDomainUpdateParams,
} from './types.ts';
import { failingRecords, isVerified } from './verification.ts';
import type { WaitOptions } from '../base/wait-options.ts';
import { CompanyInfos } from './company-info.ts';
import { WaitingResource } from '../base/waiting-resource.ts';

/** Options of `sendingDomains.waitUntilVerified`. */
export type WaitUntilVerifiedOptions = WaitOptions<SendingDomain>;

/**
 * Domains of senders. When an account is set, the paths are `/api/accounts/{account_id}/sending_domains`, otherwise
 * `/api/domains`.
 */
export class SendingDomains extends WaitingResource<SendingDomain> {
  /** The company or person that sends from a domain. */
  get companyInfo(): CompanyInfos {
    return this.part(CompanyInfos);
  }

  /**
   * Lists every domain the token can see, in one request. `GET /api/accounts/{account_id}/sending_domains`, or
   * `GET /api/domains` when no account is set.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<SendingDomain, SendingDomainPage> {
    return this.pages(sendingDomains().list, {}, options);
  }

  /**
   * Adds a domain; the result contains the DNS records to add. `POST /api/accounts/{account_id}/sending_domains`, or
   * `POST /api/domains` when no account is set.
   *
   * Never retried when its outcome is unknown.
   *
   * @throws {@link ValidationError}, {@link InvalidRequestError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: SendingDomainCreateParams, options?: RequestOptions): ApiPromise<SendingDomain> {
    return this.call(sendingDomains().create, {}, options, params);
  }

  /**
   * Returns one domain with its DNS records and compliance status.
   * `GET /api/accounts/{account_id}/sending_domains/{id}`, or `GET /api/domains/{id}` when no account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  override get(id: number, options?: RequestOptions): ApiPromise<SendingDomain> {
    return this.call(sendingDomains().get, { id }, options);
  }

  /**
   * Updates a domain's settings; only the given fields change.
   * `PATCH /api/accounts/{account_id}/sending_domains/{id}`, or `PATCH /api/domains/{id}` when no account is set.
   *
   * @throws {@link ValidationError}, {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  update(id: number, params: SendingDomainUpdateParams, options?: RequestOptions): ApiPromise<SendingDomain> {
    return this.call(sendingDomains().update, { id }, options, params);
  }

  /**
   * Deletes a domain. `DELETE /api/accounts/{account_id}/sending_domains/{id}`, or `DELETE /api/domains/{id}` when no
   * account is set.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call(sendingDomains().delete, { id }, options);
  }

  /**
   * Emails instructions for setting up the DNS records to an address.
   * `POST /api/accounts/{account_id}/sending_domains/{id}/send_setup_instructions`, or
   * `POST /api/domains/{id}/send_setup_instructions` when no account is set.
   *
   * Never retried when its outcome is unknown: the email might arrive twice.
   *
   * @param params - `email` is the recipient's address
   * @throws {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  sendSetupInstructions(id: number, params: { email: string }, options?: RequestOptions): ApiPromise<void> {
    return this.call(sendingDomains().sendSetupInstructions, { id }, options, params);
  }

  /**
   * Whether a domain is verified: the service's `dns_verified`, or, if a response lacks it, whether all DNS records
   * pass. The specification uses only the records; but if the two differ, the service itself follows `dns_verified`.
   */
  isVerified(domain: Pick<SendingDomain, 'dns_records' | 'dns_verified'>): boolean {
    return tried(() => isVerified(domain), unreadable('sendingDomains.isVerified'));
  }

  /**
   * Polls a domain until it is verified, and resolves to the verified domain. Each poll is a call of
   * {@link SendingDomains.get}: it counts against the rate limits, at low priority by default, and is retried like any
   * read.
   *
   * @throws {@link InvalidRequestError} before the first poll, {@link AbortedError} when the signal is aborted, {@link
   * TimeoutError} of kind `deadline` when `deadlineMs` has passed, by default an hour: its message says which DNS
   * records do not pass, and their expected values; and whatever `get` throws
   */
  waitUntilVerified(id: number, options?: WaitUntilVerifiedOptions): Promise<SendingDomain> {
    return this.waitUntil(
      'sendingDomains.waitUntilVerified',
      isVerified,
      failingRecords,
      id,
      options,
      10_000,
    );
  }
}
