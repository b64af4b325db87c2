/** The client's options as a call needs them. */
import type { RecipientGuard } from '../core/reach.ts';
import type { HostName, RequestContext } from '../core/request.ts';
import type { StandardSchema } from '../core/standard-schema.ts';
import type { RetryLimits } from './retry-policy.ts';
import type { ThrottleKey } from '../throttle/permit.ts';
import type { Throttle } from '../throttle/throttle.ts';
import type { Hooks } from './hooks.ts';
import type { Warn } from './logger.ts';
import type { Runtime } from '../core/runtime.ts';
import type { Tokens } from './redaction.ts';
import type { RuntimeFetch } from './runtimes/runtime-fetch.ts';
import type { Tracing } from './channels.ts';

/** A token, or a function that supplies one, which is called for every attempt. */
export type TokenSource = string | (() => string | Promise<string>);

/** How the token is sent: in `Authorization: Bearer …`, or in the `Api-Token` header. */
export type AuthScheme = 'bearer' | 'api-token';

/** How the client treats a response that does not match its schema. */
export type MismatchAction = 'report' | 'throw';

/** The client's options, checked and with every default filled in. */
export interface CallConfig {
  /** Absolute base URLs, with any path prefix, without a trailing slash. */
  readonly hosts: Readonly<Partial<Record<HostName, string>>>;
  /** Undefined only in a browser page that calls its own origin. */
  readonly token: TokenSource | undefined;
  readonly auth: AuthScheme;
  /** The most recent tokens, which no error contains. */
  readonly tokens: Tokens;
  /** Whether an address may be fetched: over plain `http:`, the token could be read in transit. */
  readonly mayFetch: (url: URL) => boolean;
  /** The token and the account whose limits its requests count against. */
  readonly key: ThrottleKey;
  /** Settings that requests may depend on; a call's `accountId` overrides the one here. */
  readonly context: RequestContext;
  /** Decides who may receive email; undefined if it may go to every recipient. */
  readonly guard: RecipientGuard | undefined;
  readonly timeoutMs: number;
  readonly deadlineMs?: number | undefined;
  readonly retry: RetryLimits;
  readonly throttle: Throttle | undefined;
  readonly runtimeFetch: RuntimeFetch;
  readonly hooks: Hooks;
  /** Logs warnings that have no hook; undefined if warnings are not logged. */
  readonly warn: Warn | undefined;
  /** Whether each request carries the id of its call. */
  readonly sendCallId?: boolean | undefined;
  /** Undefined if the runtime has no diagnostics channels. */
  readonly tracing: Tracing | undefined;
  /** Undefined if responses are not checked. */
  readonly schemas: Readonly<Record<string, StandardSchema | undefined>> | undefined;
  readonly validateResponses: MismatchAction;
  /** Undefined if the runtime does not allow setting it. */
  readonly userAgent: string | undefined;
  /** Shared with the clients derived from this one: they have the same callers, and the same signals. */
  readonly runtime: Runtime;
}
