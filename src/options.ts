import type { RetryOptions, Stream } from './core/request.ts';
import type { Throttle } from './core/throttle.ts';
import type { AuthScheme, Fetch, TokenSource } from './transport/config.ts';
import type { Hooks } from './transport/hooks.ts';
import type { ThrottleOptions } from './transport/throttle-options.ts';

/** The service's addresses, each a base to which the API's paths are added; a path prefix is kept. */
export interface Hosts {
  /** Campaigns, logs, templates, domains, accounts. Environment: `EMAIL_PLATFORM_API_URL`. */
  readonly api?: string | URL | undefined;
  /** Sending on the transactional stream. Environment: `EMAIL_PLATFORM_SEND_URL`. */
  readonly send?: string | URL | undefined;
  /** Sending on the bulk stream. Environment: `EMAIL_PLATFORM_BULK_URL`. */
  readonly bulk?: string | URL | undefined;
  /** Sending into a sandbox. Environment: `EMAIL_PLATFORM_SANDBOX_URL`. */
  readonly sandbox?: string | URL | undefined;
}

/** What names an application in the `User-Agent` header. */
export interface AppInfo {
  /** A word of letters, digits and `-_.`. */
  readonly name: string;
  /** Likewise. */
  readonly version?: string | undefined;
}

/** The options of {@link EmailPlatform}. */
export interface EmailPlatformOptions {
  /**
   * An API token, or a function that supplies it, which is asked for every attempt. Environment:
   * `EMAIL_PLATFORM_TOKEN`.
   */
  readonly token?: TokenSource | undefined;
  /**
   * How the token is sent: `'bearer'` (`Authorization: Bearer …`) or `'api-token'` (the `Api-Token` header).
   * @defaultValue 'bearer'
   */
  readonly auth?: AuthScheme | undefined;
  /** The account to act on, where a call needs one. Environment: `EMAIL_PLATFORM_ACCOUNT_ID`. */
  readonly accountId?: number | undefined;
  /**
   * Where mails go when a call does not say: the transactional stream, the bulk stream, or a sandbox that captures them.
   * @defaultValue 'transactional'
   */
  readonly stream?: Stream | undefined;
  /** The sandbox's inbox; needed by stream `'sandbox'`. Environment: `EMAIL_PLATFORM_SANDBOX_INBOX_ID`. */
  readonly sandboxInboxId?: number | undefined;
  /** The service's addresses. In a browser they may be relative to the page. */
  readonly hosts?: Hosts | undefined;
  /**
   * Milliseconds for one attempt, its body included.
   * @defaultValue 30_000
   */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for a whole call: every attempt, every wait, time in line. None by default. */
  readonly deadlineMs?: number | undefined;
  /** How failed requests are repeated, or `false` for not at all. */
  readonly retry?: RetryOptions | false | undefined;
  /**
   * How requests are kept within the service's limits: options, a throttle shared with other clients from
   * `createThrottle()`, or `false` for not at all. By default the published limits, for this client alone.
   */
  readonly throttle?: ThrottleOptions | Throttle | false | undefined;
  /**
   * What requests are sent with.
   * @defaultValue globalThis.fetch
   */
  readonly fetch?: Fetch | undefined;
  /** Functions called as requests go. */
  readonly hooks?: Hooks | undefined;
  /** Added to the `User-Agent` header, where the runtime lets us set one. */
  readonly appInfo?: AppInfo | undefined;
  /**
   * Allows a token in a browser, where everyone who opens the page can read it.
   * @defaultValue false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /**
   * Allows plain `http:` to hosts other than this machine, for an emulator elsewhere on the network.
   * @defaultValue false
   */
  readonly dangerouslyAllowHttp?: boolean | undefined;
}
