import type { ThrottleSnapshot } from '../core/limits.ts';
import type { HostName } from '../core/request.ts';
import { booleanRule, functionRule, mustBe, objectOf, refuse, type Rules } from '../core/rules.ts';
import { isNamed, type OperationName, type OperationPattern, type Route } from './routes.ts';

/** The rate limits of a client. */
export interface ProxyLimits {
  /** The current state of every pool that is switched on. */
  snapshot(): ThrottleSnapshot;
}

/** A client of this package, an `EmailPlatform`. */
export interface ProxyClient {
  /** Its rate limits, of which every visitor has a share. */
  readonly limits: ProxyLimits;
  /** Derives a client with other options, for a visitor with a token of their own. */
  withOptions(options: { readonly token?: string }): unknown;
}

/** The visitor of a page, and what they act with. */
export interface Visitor {
  /**
   * Who it is: whatever tells visitors apart, such as the user's id in the session. All requests with the same text have
   * one share of the rate limits.
   */
  readonly visitor: string;
  /**
   * The only account the visitor may act on. The request is sent under it, whatever the page asked for; an operation
   * whose path cannot name an account is refused.
   */
  readonly accountId?: number | undefined;
  /** The client to send with, in place of the proxy's own: one with the token of the visitor's account. */
  readonly client?: ProxyClient | undefined;
}

/** What an operation would be called with, as far as the address says it. */
export interface OperationCall {
  /** Which of the service's hosts. */
  readonly host: HostName;
  /** The arguments in the path, by name: `{ id: 7 }`. */
  readonly params: Readonly<Record<string, string | number>>;
}

/** Why a request was refused. */
export type RefusalReason =
  /** It does not come from a page of the same origin. */
  | 'origin'
  /** It is no request of an operation that is allowed, or of none at all. */
  | 'operation'
  /** `authorize` said no. */
  | 'visitor'
  /** It is about another account than the visitor's, or `accountId` is set and the operation's path names no account. */
  | 'account'
  /** The query has a parameter that the operation does not have, has one twice, or is too long. */
  | 'query'
  /** The body is too large, takes too long to arrive, or is not JSON; or too many bodies are on their way. */
  | 'body'
  /** The visitor has used up their share. */
  | 'share';

/** A request that was refused, and not sent to the service. */
export interface Refusal {
  /** Why. */
  readonly reason: RefusalReason;
  /** The operation; undefined if the request is not one. */
  readonly operation: OperationName | undefined;
  /** The status of the response. */
  readonly status: number;
  /** The page's request. */
  readonly request: Request;
}

/** A request whose call failed without a response of the service, or with one that is not passed on. */
export interface Failure {
  /** The operation; undefined if the request is not one. */
  readonly operation: OperationName | undefined;
  /** What the client threw, or `authorize`; or what is wrong with the response. */
  readonly error: unknown;
  /** The status of the response. A file that breaks off has that of its beginning. */
  readonly status: number;
  /** The page's request. */
  readonly request: Request;
}

/** Options of {@link createProxy}. */
export interface ProxyOptions {
  /** The client to send with: the one the rest of the server uses, so that they keep to the limits together. */
  readonly client: ProxyClient;
  /**
   * The operations that pages may use, by name (`'campaigns.list'`) or by resource (`'templates.*'`, which includes what
   * later versions add to it); every other is refused. What is not JSON, or makes a new secret, has to be named in full.
   */
  readonly allow: readonly OperationPattern[];
  /**
   * Decides for each request who the visitor is, and whether they may do this; anything but a visitor or a `Response` of
   * your own means no. Its request is the page's, with cookies. Its body has arrived, is within `maxBodyBytes`, and may be
   * read. What it throws is told to `onFailure`, and is a 500 without content for the visitor.
   */
  readonly authorize: (
    request: Request,
    operation: OperationName,
    call: OperationCall,
  ) => Authorization | Promise<Authorization>;
  /** The path that the proxy is at, such as `/email`; the same as in `proxyHosts`. */
  readonly basePath: string;
  /**
   * The pages' origin, such as `https://app.example.com`. An `Origin` header then has to be the same, and `Host` its host,
   * so that no page reaches the proxy under another name. Without it, what the browser says in `Sec-Fetch-Site` is enough,
   * and older browsers are compared with the request's own address.
   */
  readonly origin?: string | undefined;
  /**
   * The most of each rate limit that one visitor gets, from above 0 to 1. Further requests of theirs wait.
   * @defaultValue 0.5
   */
  readonly share?: number | undefined;
  /**
   * The largest request body, in bytes. It has to arrive within the client's `deadlineMs`, or else its `timeoutMs`.
   * @defaultValue 1_048_576
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * How much the bodies of all visitors may take together until `authorize` has let them in, in bytes. A body for which
   * there is no room is refused with 503.
   * @defaultValue 67_108_864, or `maxBodyBytes` if that is larger
   */
  readonly maxPendingBytes?: number | undefined;
  /**
   * Whether responses keep addresses that are valid without the token, such as a message's `raw_message_url` or the
   * `download_path` of an attachment. They are null otherwise.
   * @defaultValue false
   */
  readonly signedUrls?: boolean | undefined;
  /** Told of every request that is refused. The visitor is not told why. */
  readonly onRefused?: ((refusal: Refusal) => void) | undefined;
  /**
   * Told of every failure without a response of the service, or with one that is not passed on: it cannot be reached, it
   * repeats the token, or something is wrong here.
   */
  readonly onFailure?: ((failure: Failure) => void) | undefined;
}

/** What `authorize` returns: the visitor, a response for somebody who is none, or anything else for no. */
export type Authorization = Visitor | Response | false | null | undefined;

/** Whether it is an origin as a browser sends it. */
const isOrigin = (value: unknown) =>
  typeof value === 'string' &&
  /^https?:/.test(value) &&
  URL.canParse(value) &&
  new URL(value).origin === value;

const isPositive = (value: unknown): value is number => typeof value === 'number' && value > 0;

/** The default of `maxBodyBytes`. */
export const DEFAULT_BODY_BYTES = 2 ** 20;

/** Checks the options; throws if one is missing, unknown or wrong. */
export function checkOptions(options: ProxyOptions, routes: readonly Route[]): void {
  const textOf = (what: string, pattern: RegExp) =>
    mustBe(what, (value) => typeof value === 'string' && pattern.test(value));
  const isName = (name: unknown) => routes.some((route) => isNamed(name, route));
  const rules: Rules<ProxyOptions> = {
    client: mustBe('a client', Boolean),
    allow: mustBe(
      'a list of names such as campaigns.list or campaigns.*',
      (list) => Array.isArray(list) && list.every(isName),
    ),
    authorize: functionRule,
    basePath: textOf('a path, such as /email', /^(\/[\w.~-]+)+\/?$/),
    origin: mustBe('an origin, such as https://example.com', isOrigin),
    share: mustBe('above 0 and at most 1', (share) => isPositive(share) && share <= 1),
    maxBodyBytes: mustBe('a positive number', isPositive),
    maxPendingBytes: mustBe(
      'a positive number, and no less than maxBodyBytes',
      (bytes) => isPositive(bytes) && bytes >= (options.maxBodyBytes ?? DEFAULT_BODY_BYTES),
    ),
    signedUrls: booleanRule,
    onRefused: functionRule,
    onFailure: functionRule,
  };
  refuse('', objectOf(rules, ['client', 'allow', 'authorize', 'basePath'])(options));
}
