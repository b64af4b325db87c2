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
import type { WaitOptions } from '../wait-options.ts';
import { CompanyInfos } from './company-info.ts';
import { WaitingResource } from '../waiting-resource.ts';

/** Options of `sendingDomains.waitUntilVerified`. */
export type WaitUntilVerifiedOptions = WaitOptions<SendingDomain>;

/**
 * Domains that emails are sent from. When an account is set, the paths are `/api/accounts/{account_id}/sending_domains`,
 * otherwise `/api/domains`.
 */
export class SendingDomains extends WaitingResource<SendingDomain> {
  /** Who sends from a domain, which the service asks for. */
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
   * Updates a domain's settings; only the fields given change.
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
   * Whether a domain is verified. `dns_verified` is the service's own verdict and is believed; only where a response
   * lacks it do the DNS records decide: all of them have to pass. This goes beyond the specification, which looks at the
   * records only: while the two differ, the service itself goes by its own verdict.
   */
  isVerified(domain: Pick<SendingDomain, 'dns_records' | 'dns_verified'>): boolean {
    return tried(() => isVerified(domain), unreadable('sendingDomains.isVerified'));
  }

  /**
   * Polls a domain until it is verified, and resolves to the verified domain. Each poll is a call of
   * {@link SendingDomains.get}: it counts against the rate limits, at low priority by default, and is retried like any
   * read.
   *
   * @throws {@link InvalidRequestError} before the first poll, {@link AbortedError} when the signal is aborted,
   * {@link TimeoutError} of kind `deadline` when `deadlineMs` has passed, by default an hour: its message says which DNS
   * records do not pass, and what they should be; and whatever `get` throws
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
