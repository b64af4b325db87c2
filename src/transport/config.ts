import type { HostName, RequestContext } from '../core/request.ts';
import type { Throttle, ThrottleKey } from '../core/throttle.ts';
import type { AbortWatch } from './abort-watch.ts';
import type { Hooks } from './hooks.ts';
import type { Runtime } from './runtime.ts';

/** A token, or what supplies one; asked for every attempt. */
export type TokenSource = string | (() => string | Promise<string>);

/** How the token is sent: `Authorization: Bearer …`, or the `Api-Token` header. */
export type AuthScheme = 'bearer' | 'api-token';

/** What the transport calls to send a request; the platform's `fetch` has this shape. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** How often, and after how long a wait at most, a request is repeated. */
export interface RetryLimits {
  readonly maxRetries: number;
  readonly maxWaitMs: number;
}

/** The client's options, checked and with every default filled in. */
export interface TransportConfig {
  /** Absolute base addresses, path prefix kept, without a slash at the end. */
  readonly hosts: Readonly<Partial<Record<HostName, string>>>;
  /** Absent only in a browser page that talks to its own origin. */
  readonly token: TokenSource | undefined;
  readonly auth: AuthScheme;
  /** Whether plain `http:` is allowed to an address: to this machine, to the page's own origin, or where it was asked for. */
  readonly allowsHttpTo: (url: URL) => boolean;
  /** Whose limits its requests count against. */
  readonly key: ThrottleKey;
  /** What requests may depend on, where the call does not say. */
  readonly context: RequestContext;
  readonly timeoutMs: number;
  readonly deadlineMs: number | undefined;
  readonly retry: RetryLimits | false;
  readonly throttle: Throttle | undefined;
  readonly fetch: Fetch | undefined;
  readonly hooks: Hooks;
  /** Sent where the runtime lets us set one. */
  readonly userAgent: string | undefined;
  readonly runtime: Runtime;
  readonly abortWatch: AbortWatch;
}
