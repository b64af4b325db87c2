import type { ApiPromise } from '../core/api-promise.ts';
import type { Clock } from '../core/clock.ts';
import { AbortedError, InvalidRequestError, TimeoutError } from '../core/errors.ts';
import { tell } from '../core/observers.ts';
import { durationRule, functionRule } from '../core/rules.ts';
import type { Pager } from '../core/pager.ts';
import { optionIssues, optionsWith } from '../core/request-options.ts';
import { isRecord } from '../core/record.ts';
import type { Execute, RequestContext, RequestOptions } from '../core/request.ts';
import { idIssues } from '../models/check.ts';
import {
  domainAnswer,
  domainCreateIssues,
  domainListAnswer,
  domainUpdateIssues,
  isVerified,
  domainSetupIssues,
  type SendingDomain,
  type SendingDomainCreateParams,
  type SendingDomainPage,
  type SendingDomainUpdateParams,
} from '../models/sending-domains.ts';
import { inAccount } from './paths.ts';
import { goneMeansDeleted, nothing, bareObject } from './results.ts';
import { wholeList } from './whole-list.ts';

const result = bareObject<SendingDomain>();

/** The two path families name the resource, and what its body is wrapped in, differently. */
const pathOf = (context: RequestContext, rest = '') =>
  inAccount(context, `${context.accountId === undefined ? 'domains' : 'sending_domains'}${rest}`);
const wrap = ({ accountId }: RequestContext, params: unknown) =>
  accountId === undefined ? { domain: params } : { sending_domain: params };

/** How `sendingDomains.waitUntilVerified` waits. `deadlineMs` bounds the whole wait. */
export interface WaitUntilVerifiedOptions extends RequestOptions {
  /**
   * Milliseconds between two looks.
   * @defaultValue 10_000
   */
  readonly pollMs?: number | undefined;
  /** Called with the domain as it stands, after each look. */
  readonly onProgress?: ((domain: SendingDomain) => void) | undefined;
}

const waitOptions = optionsWith({ pollMs: durationRule, onProgress: functionRule });

/**
 * Domains mails are sent from. With an account the endpoints are the specification's,
 * `/api/accounts/{account_id}/sending_domains`; without one the public reference's, `/api/domains`.
 */
export class SendingDomains {
  readonly #execute: Execute;
  readonly #clock: Clock;

  /** @internal */
  constructor(execute: Execute, clock: Clock) {
    this.#execute = execute;
    this.#clock = clock;
  }

  /**
   * Lists every domain the token can see; they come at once. `GET …/sending_domains`, from the public reference.
   *
   * @throws {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  list(options?: RequestOptions): Pager<SendingDomain, SendingDomainPage> {
    return wholeList<SendingDomain, SendingDomainPage>(
      this.#execute,
      {
        operation: 'sendingDomains.list',
        path: pathOf,
        itemsOf: (body) => (isRecord(body) ? body.data : undefined),
        schema: domainListAnswer,
      },
      options,
    );
  }

  /**
   * Adds a domain; the answer holds the DNS records to set up. `POST …/sending_domains`. Never repeated when its outcome
   * is unknown.
   *
   * @throws {@link ValidationError}, {@link InvalidRequestError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  create(params: SendingDomainCreateParams, options?: RequestOptions): ApiPromise<SendingDomain> {
    return this.#execute(
      (context) => ({
        operation: 'sendingDomains.create',
        method: 'POST',
        host: 'api',
        path: pathOf(context),
        body: wrap(context, params),
        check: () => domainCreateIssues(params),
        isRepeatable: false,
        result,
        schema: domainAnswer,
      }),
      options,
    );
  }

  /**
   * Reads one domain: its DNS records, and how far it has come. `GET …/sending_domains/{id}`
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  get(id: number, options?: RequestOptions): ApiPromise<SendingDomain> {
    return this.#execute(
      (context) => ({
        operation: 'sendingDomains.get',
        method: 'GET',
        host: 'api',
        path: pathOf(context, '/{id}'),
        pathParams: { id },
        check: () => idIssues(id),
        isRepeatable: true,
        result,
        schema: domainAnswer,
      }),
      options,
    );
  }

  /**
   * Changes a domain's settings; only the fields given change. `PATCH …/sending_domains/{id}`, from the public
   * reference.
   *
   * @throws {@link ValidationError}, {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  update(id: number, params: SendingDomainUpdateParams, options?: RequestOptions): ApiPromise<SendingDomain> {
    return this.#execute(
      (context) => ({
        operation: 'sendingDomains.update',
        method: 'PATCH',
        host: 'api',
        path: pathOf(context, '/{id}'),
        pathParams: { id },
        body: wrap(context, params),
        check: () => [...idIssues(id), ...domainUpdateIssues(params)],
        isRepeatable: true,
        result,
        schema: domainAnswer,
      }),
      options,
    );
  }

  /**
   * Removes a domain. `DELETE …/sending_domains/{id}`, from the public reference.
   *
   * @throws {@link NotFoundError}, {@link AuthenticationError}, {@link PermissionDeniedError}, {@link RateLimitError}
   */
  delete(id: number, options?: RequestOptions): ApiPromise<void> {
    return this.#execute(
      (context) => ({
        operation: 'sendingDomains.delete',
        method: 'DELETE',
        host: 'api',
        path: pathOf(context, '/{id}'),
        pathParams: { id },
        check: () => idIssues(id),
        isRepeatable: true,
        result: nothing,
        settle: goneMeansDeleted,
      }),
      options,
    );
  }

  /**
   * Mails the DNS records to whoever can set them up. `POST …/sending_domains/{id}/send_setup_instructions`, from the
   * public reference. Never repeated when its outcome is unknown: it is a mail.
   *
   * @throws {@link InvalidRequestError}, {@link NotFoundError}, {@link AuthenticationError},
   * {@link PermissionDeniedError}, {@link RateLimitError}
   */
  sendSetupInstructions(id: number, params: { email: string }, options?: RequestOptions): ApiPromise<void> {
    return this.#execute(
      (context) => ({
        operation: 'sendingDomains.sendSetupInstructions',
        method: 'POST',
        host: 'api',
        path: pathOf(context, '/{id}/send_setup_instructions'),
        pathParams: { id },
        body: params,
        check: () => [...idIssues(id), ...domainSetupIssues(params)],
        isRepeatable: false,
        result: nothing,
      }),
      options,
    );
  }

  /** Whether a domain is verified: all of its DNS records pass. */
  isVerified(domain: Pick<SendingDomain, 'dns_records' | 'dns_verified'>): boolean {
    return isVerified(domain);
  }

  /**
   * Polls a domain until it is verified, and returns it as it is then. `GET …/sending_domains/{id}`. Each poll is a call like
   * any other: it counts against the rate limits, at low priority unless told otherwise, and is retried as reads are.
   *
   * @throws {@link InvalidRequestError} before the first look, {@link AbortedError} when the signal is aborted,
   * {@link TimeoutError} of kind `deadline` when `deadlineMs` has passed, and whatever `get` throws
   */
  async waitUntilVerified(id: number, options: WaitUntilVerifiedOptions = {}): Promise<SendingDomain> {
    const operation = 'sendingDomains.waitUntilVerified';
    const issues = [...idIssues(id), ...optionIssues(options, waitOptions)];
    if (issues.length > 0) throw new InvalidRequestError(issues, { operation });
    const { pollMs = 10_000, onProgress, ...ofCall } = options;
    const { deadlineMs = Infinity, signal } = ofCall;
    const endsAt = this.#clock.now() + deadlineMs;
    const late = (name: string | number) =>
      new TimeoutError(`${operation}: domain ${name} was not verified within ${deadlineMs} ms`, {
        kind: 'deadline',
        effect: 'none',
      });
    for (;;) {
      const remainingMs = endsAt - this.#clock.now();
      // A timer may fire late, as after a sleep of the whole machine.
      if (remainingMs <= 0) throw late(id);
      const domain = await this.get(id, {
        priority: 'low',
        ...ofCall,
        ...(deadlineMs !== Infinity && { deadlineMs: remainingMs }),
      });
      tell(onProgress, () => domain);
      if (isVerified(domain)) return domain;
      if (this.#clock.now() + pollMs >= endsAt) throw late(domain.domain_name);
      await this.#clock.sleep(pollMs, signal).catch((cause: unknown) => {
        throw new AbortedError(`${operation} was aborted`, { effect: 'none', cause });
      });
    }
  }
}
