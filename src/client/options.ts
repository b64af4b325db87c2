import type { RecipientOptions } from '../recipients/options.ts';
import type { Journal } from '../core/journal.ts';
import type { RetryOptions, Stream } from '../core/request.ts';
import type { MailDefaults } from '../resources/sending/types.ts';
import type { ResponseSchemas } from '../resources/responses.ts';
import type { AuthScheme, MismatchAction, TokenSource } from '../transport/config.ts';
import type { Fetch } from '../transport/runtimes/runtime-fetch.ts';
import type { Hooks } from '../transport/hooks.ts';
import type { Logger, LogLevel } from '../transport/logger.ts';
import type { ThrottleOptions } from '../throttle/limits.ts';
import type { Throttle } from '../throttle/throttle.ts';

/**
 * Base URLs of the service's hosts, or its domain. The client adds the API's paths and keeps a path prefix. Each host
 * takes the first of: its own option, `domain`, its own environment variable, `EMAIL_PLATFORM_URL` with `/account`,
 * `/send`, `/bulk` or `/sandbox` added, and `EMAIL_PLATFORM_DOMAIN`.
 */
export interface Hosts {
  /**
   * The service's domain, a bare name such as `example.com`. The hosts are `https://example.com`,
   * `https://send.api.example.com`, `https://bulk.api.example.com` and `https://sandbox.api.example.com`. Environment
   * variable: `EMAIL_PLATFORM_DOMAIN`.
   */
  readonly domain?: string | undefined;
  /**
   * Base URL for calls without a stream: campaigns, contacts, logs, templates, accounts and others. Environment variable:
   * `EMAIL_PLATFORM_API_URL`.
   */
  readonly api?: string | URL | undefined;
  /** Base URL for sending on the transactional stream. Environment variable: `EMAIL_PLATFORM_SEND_URL`. */
  readonly send?: string | URL | undefined;
  /** Base URL for sending on the bulk stream. Environment variable: `EMAIL_PLATFORM_BULK_URL`. */
  readonly bulk?: string | URL | undefined;
  /** Base URL for sending into a sandbox. Environment variable: `EMAIL_PLATFORM_SANDBOX_URL`. */
  readonly sandbox?: string | URL | undefined;
}

/** Your application's name and version, for the `User-Agent` header. */
export interface AppInfo {
  /** The application's name. Letters, digits and `-_.`. */
  readonly name: string;
  /** The application's version. Letters, digits and `-_.`. */
  readonly version?: string | undefined;
}

/** The options of {@link EmailPlatform}. */
export interface EmailPlatformOptions {
  /**
   * API token, or a function that returns one and is called for every attempt. Left out only in a browser, if a proxy of the
   * page adds it. Environment variable: `EMAIL_PLATFORM_TOKEN`.
   */
  readonly token?: TokenSource | undefined;
  /**
   * The header of the token: `'bearer'` (`Authorization: Bearer …`) or `'api-token'` (the `Api-Token` header).
   * @defaultValue 'bearer'
   */
  readonly auth?: AuthScheme | undefined;
  /**
   * Id of the account for calls that need one. Emails and campaigns always belong to the token's own account,
   * regardless of this option. Environment variable: `EMAIL_PLATFORM_ACCOUNT_ID`.
   */
  readonly accountId?: number | undefined;
  /**
   * The default stream of emails: transactional, bulk, or a sandbox that captures them. Environment variable:
   * `EMAIL_PLATFORM_STREAM`.
   * @defaultValue 'transactional'
   */
  readonly stream?: Stream | undefined;
  /**
   * Id of the sandbox inbox; required when `stream` is `'sandbox'`. Environment variable:
   * `EMAIL_PLATFORM_SANDBOX_INBOX_ID`.
   */
  readonly sandboxInboxId?: number | undefined;
  /**
   * The sender, reply address and category of emails that have none. An email from a template gets no category, and an
   * email with a `Reply-To` header no reply address. Environment variable for the sender, `from`: `EMAIL_PLATFORM_FROM`.
   */
  readonly defaults?: MailDefaults | undefined;
  /**
   * The recipients that may receive email, for a system that must not reach real people, such as staging. The client
   * checks every request that reaches people before it sends it, except emails to a sandbox. These rules are added to those
   * of the client that `withOptions` derived it from, and of the environment variables `EMAIL_PLATFORM_RECIPIENTS` (a
   * comma-separated list) and `EMAIL_PLATFORM_REDIRECT_TO`. Without any rules, all recipients may.
   */
  readonly recipients?: RecipientOptions | undefined;
  /**
   * The store of idempotency keys, for `idempotencyKey`: `sqliteJournal(db)`, `postgresJournal(pool)` or
   * `createJournal(store)` of `email-platform/journal`. By default none; then no email can have a key.
   */
  readonly journal?: Journal | undefined;
  /**
   * The service's domain, a bare name such as `example.com`: short for `hosts: { domain }`, and not together with it.
   * Environment variable: `EMAIL_PLATFORM_DOMAIN`.
   */
  readonly domain?: string | undefined;
  /**
   * The service's `domain`, base URLs of single hosts, or both; a host of the domain not together with a base URL of
   * this machine. In a browser, a base URL may be relative to the page.
   */
  readonly hosts?: Hosts | undefined;
  /**
   * Milliseconds for one attempt, including its body.
   * @defaultValue 30_000
   */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for a whole call: attempts, waits and time in the queue. No limit by default. */
  readonly deadlineMs?: number | undefined;
  /**
   * How failed requests are retried; `false` for no retries, and by default if a proxy of the page adds the token.
   * @defaultValue { maxRetries: 3, maxWaitMs: 90_000 }
   */
  readonly retry?: RetryOptions | false | undefined;
  /**
   * How the client keeps within the service's rate limits: options, a throttle to share with other clients, or `false`
   * for no throttle. A shared throttle comes from `createThrottle()` or, to share it between processes, from
   * `redisThrottle()` in `email-platform/redis`. By default the published limits, for this client and those that
   * `withOptions` derives from it; none if a proxy of the page adds the token.
   */
  readonly throttle?: ThrottleOptions | Throttle | false | undefined;
  /**
   * The function that sends requests.
   * @defaultValue globalThis.fetch
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Callbacks for every call, request, response, retry and wait. `withOptions` adds them to the hooks of the original
   * client, which are called first; `false` removes those.
   */
  readonly hooks?: Hooks | false | undefined;
  /**
   * Receives a line for each notable event, with its fields first: a logger of pino, or `console`. `false` for none.
   * See {@link Logger} for the events of each level. By default the console, if a level is set, and for
   * warnings about environment variables.
   */
  readonly logger?: Logger | false | undefined;
  /**
   * The lowest level that is logged. Environment variable: `EMAIL_PLATFORM_LOG`.
   * @defaultValue 'warn', if a logger is set
   */
  readonly logLevel?: LogLevel | undefined;
  /**
   * For debugging: sends the id of the call, as in hooks, logs and traces, in the header `Email-Platform-Call-Id`. The
   * emulator shows it in its `requests`.
   * @defaultValue false
   */
  readonly sendCallId?: boolean | undefined;
  /**
   * Schemas to check responses with: `import * as schemas from 'email-platform/schemas'`. A mismatch is reported to
   * `hooks.onMismatch` and to the logger. Without schemas, a call checks only what it needs, such as the confirmation of a
   * send; `validateResponses: 'throw'` and `hooks.onMismatch` need them.
   */
  readonly schemas?: ResponseSchemas | undefined;
  /**
   * How the client treats a response that does not match its schema. With `'report'`, the call still returns it, unless
   * it lacks what the call needs, such as the confirmation of a send. With `'throw'`, the call throws
   * {@link ResponseFormatError}, although the service has probably acted on the request. Both call `hooks.onMismatch`.
   * @defaultValue 'report'
   */
  readonly validateResponses?: MismatchAction | undefined;
  /** Added to the `User-Agent` header, if the runtime allows it. */
  readonly appInfo?: AppInfo | undefined;
  /**
   * Allows a token in a browser, where every visitor of the page can read it.
   * @defaultValue false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /**
   * Allows plain `http:` to hosts other than this machine, for an emulator elsewhere on the network.
   * @defaultValue false
   */
  readonly dangerouslyAllowHttp?: boolean | undefined;
}
