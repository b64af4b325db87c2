import type { RecipientOptions } from '../recipients/options.ts';
import type { Journal } from '../journal/types.ts';
import type { RetryOptions, Stream } from '../core/request.ts';
import type { MailDefaults } from '../resources/sending/types.ts';
import type { ResponseSchemas } from '../resources/responses.ts';
import type { AuthScheme, Fetch, MismatchAction, TokenSource } from '../transport/config.ts';
import type { Hooks } from '../transport/hooks.ts';
import type { Logger, LogLevel } from '../transport/logger.ts';
import type { ThrottleOptions } from '../throttle/limits.ts';
import type { Throttle } from '../throttle/throttle.ts';

/**
 * Base URLs of the service's hosts, to which the API's paths are added. A path prefix is kept. Each host takes the first
 * of: its own option, `domain`, its own environment variable, `EMAIL_PLATFORM_URL` with `/account`, `/send`, `/bulk` or
 * `/sandbox` added, and `EMAIL_PLATFORM_DOMAIN`.
 */
export interface Hosts {
  /**
   * The service's domain, a bare name such as `example.com`. The hosts are `https://example.com`,
   * `https://send.api.example.com`, `https://bulk.api.example.com` and `https://sandbox.api.example.com`. Environment
   * variable: `EMAIL_PLATFORM_DOMAIN`.
   */
  readonly domain?: string | undefined;
  /** Host of campaigns, logs, templates, domains and accounts. Environment variable: `EMAIL_PLATFORM_API_URL`. */
  readonly api?: string | URL | undefined;
  /** Host for sending on the transactional stream. Environment variable: `EMAIL_PLATFORM_SEND_URL`. */
  readonly send?: string | URL | undefined;
  /** Host for sending on the bulk stream. Environment variable: `EMAIL_PLATFORM_BULK_URL`. */
  readonly bulk?: string | URL | undefined;
  /** Host for sending into a sandbox. Environment variable: `EMAIL_PLATFORM_SANDBOX_URL`. */
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
   * API token, or a function that supplies one and is called for every attempt. Environment variable:
   * `EMAIL_PLATFORM_TOKEN`.
   */
  readonly token?: TokenSource | undefined;
  /**
   * How the token is sent: `'bearer'` (`Authorization: Bearer …`) or `'api-token'` (the `Api-Token` header).
   * @defaultValue 'bearer'
   */
  readonly auth?: AuthScheme | undefined;
  /**
   * Id of the account to act on, where a call needs one. Mail always leaves from the token's own account, and campaigns
   * belong to it, whatever this says. Environment variable: `EMAIL_PLATFORM_ACCOUNT_ID`.
   */
  readonly accountId?: number | undefined;
  /**
   * Where emails are sent when a call does not say: the transactional stream, the bulk stream, or a sandbox that
   * captures them. Environment variable: `EMAIL_PLATFORM_STREAM`.
   * @defaultValue 'transactional'
   */
  readonly stream?: Stream | undefined;
  /**
   * Id of the sandbox inbox; required when `stream` is `'sandbox'`. Environment variable:
   * `EMAIL_PLATFORM_SANDBOX_INBOX_ID`.
   */
  readonly sandboxInboxId?: number | undefined;
  /**
   * Sender, reply address and category of every email that does not have its own. In a batch they are part of its base.
   * Environment variable for the sender, `from`: `EMAIL_PLATFORM_FROM`.
   */
  readonly defaults?: MailDefaults | undefined;
  /**
   * Who may receive email, for a system that must not reach real people, such as staging. Everything that reaches people
   * is checked before it is sent, except what is sent into a sandbox. A client derived by `withOptions` has the rules of
   * this one as well as its own. The environment variables `EMAIL_PLATFORM_RECIPIENTS` (a comma-separated list) and
   * `EMAIL_PLATFORM_REDIRECT_TO` apply in addition. By default everybody may.
   */
  readonly recipients?: RecipientOptions | undefined;
  /**
   * Where the keys of sends are kept, for `idempotencyKey`: `sqliteJournal(db)` or `createJournal(store)` of
   * `email-platform/journal`. By default nowhere, and no email has a key.
   */
  readonly journal?: Journal | undefined;
  /** Base URLs of the service's hosts. In a browser they may be relative to the page. */
  readonly hosts?: Hosts | undefined;
  /**
   * Milliseconds for one attempt, including its body.
   * @defaultValue 30_000
   */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for a whole call: attempts, waits and time in the queue. No limit by default. */
  readonly deadlineMs?: number | undefined;
  /**
   * How failed requests are retried; `false` for not at all.
   * @defaultValue { maxRetries: 3, maxWaitMs: 90_000 }
   */
  readonly retry?: RetryOptions | false | undefined;
  /**
   * How requests are kept within the service's rate limits: options, a throttle to share with other clients, or `false`
   * for not at all. A shared throttle comes from `createThrottle()` or, to share it between processes, from
   * `redisThrottle()` in `email-platform/redis`. By default the published limits, for this client alone.
   */
  readonly throttle?: ThrottleOptions | Throttle | false | undefined;
  /**
   * The function that sends requests.
   * @defaultValue globalThis.fetch
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Callbacks for every call, request, response, retry and wait. `withOptions` adds to those of the client it is called
   * on, which go first; `false` removes them.
   */
  readonly hooks?: Hooks | false | undefined;
  /**
   * Takes a line for what a person may want to know of, with its fields first: a logger of pino, or `console`. `false` for
   * none. See {@link Logger} for what is logged at which level. The console by default, where a level is set.
   */
  readonly logger?: Logger | false | undefined;
  /**
   * The lowest level that is logged. Environment variable: `EMAIL_PLATFORM_LOG`.
   * @defaultValue 'warn', where there is a logger
   */
  readonly logLevel?: LogLevel | undefined;
  /**
   * For debugging: sends the id of the call, as in hooks, logs and traces, in the header `Email-Platform-Call-Id`. The
   * emulator has it in its `requests`.
   * @defaultValue false
   */
  readonly sendCallId?: boolean | undefined;
  /**
   * Schemas to check responses with: `import * as schemas from 'email-platform/schemas'`. What does not match is
   * reported to `hooks.onMismatch` and to the logger. Without schemas, no response is checked.
   */
  readonly schemas?: ResponseSchemas | undefined;
  /**
   * What becomes of a response that does not match its schema. With `'report'`, the call returns it all the same. With
   * `'throw'`, the call throws {@link ResponseFormatError}, even though what was requested has probably been done. Both
   * call `hooks.onMismatch`.
   * @defaultValue 'report'
   */
  readonly validateResponses?: MismatchAction | undefined;
  /** Added to the `User-Agent` header, where the runtime allows setting it. */
  readonly appInfo?: AppInfo | undefined;
  /**
   * Allows a token in a browser, where anyone who opens the page can read it.
   * @defaultValue false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /**
   * Allows plain `http:` to hosts other than this machine, for an emulator elsewhere on the network.
   * @defaultValue false
   */
  readonly dangerouslyAllowHttp?: boolean | undefined;
}
