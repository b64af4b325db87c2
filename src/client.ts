import type { ApiPromise } from './core/api-promise.ts';
import type { Execute, RequestOptions } from './core/request.ts';
import type { StandardSchema } from './core/standard-schema.ts';
import type { PoolName, Throttle, ThrottleKey, ThrottleSnapshot } from './core/throttle.ts';
import type { EmailPlatformOptions } from './options.ts';
import { refuse } from './core/rules.ts';
import { optionsRule, resolveOptions } from './resolve-options.ts';
import { Accounts } from './resources/accounts.ts';
import { anyEndpoint, type AnyRequest } from './resources/any-endpoint.ts';
import { Campaigns } from './resources/campaigns.ts';
import { EmailLogs } from './resources/email-logs.ts';
import { Sending } from './resources/sending.ts';
import { SendingDomains } from './resources/sending-domains.ts';
import { Templates } from './resources/templates.ts';
import { clockOf } from './transport/clock.ts';
import type { Runtime } from './transport/runtime.ts';
import { createExecute } from './transport/transport.ts';

/** A client's view of its throttle: the pools of its own token and account. */
export interface ClientThrottle {
  /** Every pool that is switched on, as it stands now. */
  snapshot(): ThrottleSnapshot;
  /** Milliseconds until `count` further requests would all have been sent; 0 when the throttle is off. */
  estimate(count: number, pool?: PoolName): number;
}

function viewOf(throttle: Throttle | undefined, key: ThrottleKey): ClientThrottle {
  return {
    snapshot: () => throttle?.snapshot(key) ?? {},
    estimate: (count, pool = 'token') => throttle?.estimate(count, pool, key) ?? 0,
  };
}

/**
 * A client of the email platform's API. Make one and share it: it keeps the service's limits for all its calls.
 *
 * @example
 * ```ts
 * const client = new EmailPlatform({ token: process.env.TOKEN, hosts: { api: 'https://api.example.com' } });
 * for await (const campaign of client.campaigns.list({ search: 'spring' })) console.log(campaign.name);
 * ```
 */
export class EmailPlatform {
  /** Email campaigns: drafts, their scheduling and sending, and their statistics. */
  readonly campaigns: Campaigns;
  /** The log of mails sent, with what happened to each. */
  readonly emailLogs: EmailLogs;
  /** Sending mails: one, many in a call, or any number of them. */
  readonly sending: Sending;
  /** Email templates. */
  readonly templates: Templates;
  /** Domains mails are sent from, and their verification. */
  readonly sendingDomains: SendingDomains;
  /** Accounts the token can see, who has access to them, and to what. */
  readonly accounts: Accounts;
  /** The limits this client keeps, and how far they are used. */
  readonly throttle: ClientThrottle;

  readonly #execute: Execute;
  readonly #options: EmailPlatformOptions;
  readonly #runtime: Runtime | undefined;

  /**
   * @param options - Everything is optional that the environment supplies.
   * @throws {@link ConfigurationError} naming the option, when one is missing, wrong or unknown.
   */
  constructor(options?: EmailPlatformOptions);
  /** @internal Time and chance, for tests. */
  constructor(options: EmailPlatformOptions | undefined, runtime: Runtime | undefined);
  constructor(options: EmailPlatformOptions = {}, runtime?: Runtime) {
    const config = resolveOptions(options, runtime);
    // As resolved: what is derived from this client does not read the environment again.
    const { token, hosts, context, throttle = false } = config;
    const { accountId, sandboxInboxId } = context;
    this.#options = { ...options, token, hosts, accountId, sandboxInboxId, throttle };
    this.#runtime = runtime;
    const execute = createExecute(config);
    this.#execute = execute;
    this.campaigns = new Campaigns(execute);
    this.emailLogs = new EmailLogs(execute);
    this.sending = new Sending(execute);
    this.templates = new Templates(execute);
    this.sendingDomains = new SendingDomains(execute, clockOf(config.runtime));
    this.accounts = new Accounts(execute);
    this.throttle = viewOf(config.throttle, config.key);
  }

  /**
   * Sends a request to any endpoint, through the same limits, retries and errors as every method. Its pool is found from
   * host and path.
   *
   * @example
   * ```ts
   * const lists = await client.request<{ id: number; name: string }[]>({ method: 'GET', path: '/api/contacts/lists' });
   * ```
   * @throws {@link InvalidRequestError} for a path or method that cannot be, {@link ResponseFormatError} when the answer
   * does not fit the schema, and any {@link ApiError}
   */
  request<Output>(
    request: AnyRequest & { readonly schema: StandardSchema<Output> },
    options?: RequestOptions,
  ): ApiPromise<Output>;
  request<T = unknown>(
    request: AnyRequest & { readonly schema?: undefined },
    options?: RequestOptions,
  ): ApiPromise<T>;
  request(request: AnyRequest, options?: RequestOptions): ApiPromise<unknown>;
  request<T>(request: AnyRequest, options?: RequestOptions): ApiPromise<T> {
    return this.#execute(anyEndpoint<T>(request), options);
  }

  /**
   * A client with some options changed; one that is undefined stays as it is. It shares this one's throttle, unless it is given another.
   *
   * @throws {@link ConfigurationError} as the constructor does.
   * @example
   * ```ts
   * const tenant = client.withOptions({ token: tenantToken, accountId: tenantAccountId });
   * ```
   */
  withOptions(options: EmailPlatformOptions): EmailPlatform {
    refuse('', optionsRule(options));
    const changes = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const hosts = { ...this.#options.hosts, ...options.hosts };
    return make({ ...this.#options, ...changes, hosts }, this.#runtime);
  }
}

/** Apart from the class: one that speaks of itself is given another name by the compiler, which people would see. */
const make = (options: EmailPlatformOptions, runtime: Runtime | undefined) =>
  new EmailPlatform(options, runtime);
