import type { ApiPromise } from '../core/api-promise.ts';
import type { Clock } from '../core/clock.ts';
import { AbortedError, InvalidRequestError, reading, TimeoutError } from '../core/errors.ts';
import { tell } from '../core/observers.ts';
import { durationRule, functionRule, issuesAt, positiveRule } from '../core/rules.ts';
import type { Pager } from '../core/pager.ts';
import { optionIssues, optionsWith } from '../core/request-options.ts';
import type { Execute, RequestContext, RequestOptions } from '../core/request.ts';
import {
  domainCreateIssues,
  domainUpdateIssues,
  domainSetupIssues,
} from '../models/sending-domains-checks.ts';
import {
  failingRecords,
  isVerified,
  type SendingDomain,
  type SendingDomainCreateParams,
  type SendingDomainPage,
  type SendingDomainUpdateParams,
} from '../models/sending-domains.ts';
import { bareObject, deleted, nothing, wholeList } from './readers.ts';
import { Resource } from './resource.ts';

const domain = { result: bareObject<SendingDomain>(), schema: 'sendingDomain' as const };
const domains = {
  ...wholeList<SendingDomain, SendingDomainPage>('data'),
  schema: 'sendingDomainPage' as const,
};

const DOMAINS = '{account}/{domains|sending_domains}';
const DOMAIN = `${DOMAINS}/{id}` as const;

/** The body's wrapper, too, has a name of its own under an account. */
const wrapped = ({ accountId }: RequestContext, params: unknown) =>
  accountId === undefined ? { domain: params } : { sending_domain: params };

/** Options of `sendingDomains.waitUntilVerified`. */
export interface WaitUntilVerifiedOptions extends RequestOptions {
  /**
   * Milliseconds for the whole wait, whatever the client's `deadlineMs`.
   * @defaultValue 3_600_000
   */
  readonly deadlineMs?: number | undefined;
  /**
   * Milliseconds between two polls.
   * @defaultValue 10_000
   */
  readonly pollMs?: number | undefined;
  /** Called with the domain after each poll. */
  readonly onProgress?: ((domain: SendingDomain) => void) | undefined;
}

const DEFAULT_WAIT_MS = 3_600_000;

const waitOptions = optionsWith({ pollMs: durationRule, onProgress: functionRule });

/**
 * Domains that emails are sent from. When an account is set, the paths are those of the specification,
 * `/api/accounts/{account_id}/sending_domains`; otherwise those of the service's public API reference, `/api/domains`.
 *
 * Every method may also throw {@link InvalidRequestError}, {@link ConnectionError}, {@link TimeoutError},
 * {@link AbortedError}, {@link ServerError}, {@link ResponseFormatError} or {@link ConfigurationError}.
 */
export class SendingDomains extends Resource {
  readonly #clock: Clock;

  /** @internal */
  constructor(execute: Execute, clock: Clock) {
    super(execute);
    this.#clock = clock;
  }

  /**
   * Lists every domain the token can see, in one request.
   * `GET /api/accounts/{account_id}/sending_domains`, or `GET /api/domains` when no account is set.
   * Not in the specification; taken from the service's public API reference.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<SendingDomain, SendingDomainPage> {
    return this.pages('sendingDomains.list', `GET ${DOMAINS}`, {}, domains, options);
  }

  /**
   * Adds a domain; the result contains the DNS records to add.
   * `POST /api/accounts/{account_id}/sending_domains`, or `POST /api/domains` when no account is set.
   * The path without an account is not in the specification; taken from the service's public API reference.
   *
   * Never retried when its outcome is unknown.
   *
   * @throws {@link ValidationError}, {@link InvalidRequestError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: SendingDomainCreateParams, options?: RequestOptions): ApiPromise<SendingDomain> {
    return this.call('sendingDomains.create', `POST ${DOMAINS}`, {}, domain, options, (context) => ({
      body: wrapped(context, params),
      check: () => domainCreateIssues(params),
    }));
  }

  /**
   * Returns one domain with its DNS records and compliance status.
   * `GET /api/accounts/{account_id}/sending_domains/{id}`, or `GET /api/domains/{id}` when no account is set.
   * The path without an account is not in the specification; taken from the service's public API reference.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<SendingDomain> {
    return this.call('sendingDomains.get', `GET ${DOMAIN}`, { id }, domain, options);
  }

  /**
   * Updates a domain's settings; only the fields given change.
   * `PATCH /api/accounts/{account_id}/sending_domains/{id}`, or `PATCH /api/domains/{id}` when no account is set.
   * Not in the specification; taken from the service's public API reference.
   *
   * @throws {@link ValidationError}, {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  update(id: number, params: SendingDomainUpdateParams, options?: RequestOptions): ApiPromise<SendingDomain> {
    return this.call('sendingDomains.update', `PATCH ${DOMAIN}`, { id }, domain, options, (context) => ({
      repeatable: true,
      body: wrapped(context, params),
      check: () => domainUpdateIssues(params),
    }));
  }

  /**
   * Deletes a domain.
   * `DELETE /api/accounts/{account_id}/sending_domains/{id}`, or `DELETE /api/domains/{id}` when no account is set.
   * Not in the specification; taken from the service's public API reference.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.call('sendingDomains.delete', `DELETE ${DOMAIN}`, { id }, deleted, options);
  }

  /**
   * Emails instructions for setting up the DNS records to an address.
   * `POST /api/accounts/{account_id}/sending_domains/{id}/send_setup_instructions`, or
   * `POST /api/domains/{id}/send_setup_instructions` when no account is set.
   * Not in the specification; taken from the service's public API reference.
   *
   * Never retried when its outcome is unknown: the email might arrive twice.
   *
   * @param params - `email` is the recipient's address
   * @throws {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  sendSetupInstructions(id: number, params: { email: string }, options?: RequestOptions): ApiPromise<void> {
    const endpoint = `POST ${DOMAIN}/send_setup_instructions` as const;
    return this.call('sendingDomains.sendSetupInstructions', endpoint, { id }, nothing, options, {
      body: params,
      check: () => domainSetupIssues(params),
    });
  }

  /**
   * Whether a domain is verified. `dns_verified` is the service's own verdict and is believed; only where a response
   * lacks it do the DNS records decide: all of them have to pass. The specification calls a domain verified when all
   * records pass; while the two differ, the service goes by its own verdict, and so does this.
   */
  isVerified(domain: Pick<SendingDomain, 'dns_records' | 'dns_verified'>): boolean {
    return reading('sendingDomains.isVerified', () => isVerified(domain));
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
  async waitUntilVerified(id: number, options: WaitUntilVerifiedOptions = {}): Promise<SendingDomain> {
    const operation = 'sendingDomains.waitUntilVerified';
    const {
      pollMs = 10_000,
      onProgress,
      ...callOptions
    } = reading(operation, () => {
      const issues = [...issuesAt('id', positiveRule(id)), ...optionIssues(options, waitOptions)];
      if (issues.length > 0) throw new InvalidRequestError(issues, { operation });
      return { ...options };
    });
    const { deadlineMs = DEFAULT_WAIT_MS, signal } = callOptions;
    const endsAt = this.#clock.now() + deadlineMs;
    let domain: SendingDomain | undefined;
    const timedOut = (cause?: unknown) => {
      const reason = domain ? `; ${failingRecords(domain)}` : '';
      const name = domain?.domain_name ?? id;
      return new TimeoutError(
        `${operation}: domain ${name} was not verified within ${deadlineMs} ms${reason}`,
        { kind: 'deadline', effect: 'none', cause },
      );
    };
    for (;;) {
      const remainingMs = endsAt - this.#clock.now();
      // A timer may fire late, for instance after the machine has slept.
      if (remainingMs <= 0) throw timedOut();
      const polled = await this.get(id, {
        priority: 'low',
        ...callOptions,
        deadlineMs: remainingMs,
      }).catch((error: unknown) => {
        throw error instanceof TimeoutError && error.kind === 'deadline' ? timedOut(error) : error;
      });
      domain = polled;
      tell(onProgress, () => polled);
      if (isVerified(polled)) return polled;
      if (this.#clock.now() + pollMs >= endsAt) throw timedOut();
      await this.#clock.sleep(pollMs, signal).catch((cause: unknown) => {
        throw new AbortedError(`${operation} was aborted`, { effect: 'none', cause });
      });
    }
  }
}
