import type { ThrottleSnapshot } from '../../core/limits.ts';
import type { HostName } from '../../core/request.ts';
import {
  arrayOf,
  booleanRule,
  functionRule,
  mustBe,
  objectOf,
  refuse,
  type Rules,
} from '../../core/rules.ts';
import { isNamed, type OperationName, type OperationPattern, type Route } from './routes.ts';

/** The rate limits of a client. */
export interface ProxyLimits {
  /** The current state of every enabled pool. */
  snapshot(): ThrottleSnapshot;
}

/** A client of this package, an `EmailPlatform`. */
export interface ProxyClient {
  /** Its rate limits. Each visitor gets a share of them. */
  readonly limits: ProxyLimits;
  /** Derives a client with other options, for a visitor with their own token. */
  withOptions(options: { readonly token?: string }): unknown;
}

/** The visitor of a page, and the account and client for their requests. */
export interface Visitor {
  /**
   * Identifies the visitor, such as the user's id in the session. All requests with the same text have one share of
   * the rate limits.
   */
  readonly visitor: string;
  /**
   * The only account that the visitor may use. The proxy sends the request under it, whatever account the page named.
   * It refuses an operation whose path cannot name an account.
   */
  readonly accountId?: number | undefined;
  /** The client to send with instead of the proxy's own, for example one with the token of the visitor's account. */
  readonly client?: ProxyClient | undefined;
}

/** The host and the path's arguments of an operation, as its address has them. */
export interface OperationCall {
  /** The host of the service. */
  readonly host: HostName;
  /** The arguments in the path, by name: `{ id: 7 }`. */
  readonly params: Readonly<Record<string, string | number>>;
}

/** The reason for a refusal. */
export type RefusalReason =
  /** The request does not come from a page of the same origin. */
  | 'origin'
  /** The request belongs to an operation that is not allowed, or to no operation. */
  | 'operation'
  /** `authorize` refused the request. */
  | 'visitor'
  /**
   * The request names another account than the visitor's, or `accountId` is set and the operation's path names no
   * account.
   */
  | 'account'
  /** The query has a parameter that the operation does not have, has one twice, or is too long. */
  | 'query'
  /** The body is too large, takes too long to arrive, or is not JSON; or too many bodies are on their way. */
  | 'body'
  /** The visitor has used up their share. */
  | 'share';

/** A request that was refused, and not sent to the service. */
export interface Refusal {
  /** The reason. */
  readonly reason: RefusalReason;
  /** The operation; undefined if the request is not one. */
  readonly operation: OperationName | undefined;
  /** The status of the response. */
  readonly status: number;
  /** The page's request. */
  readonly request: Request;
}

/**
 * A request whose call failed without a response of the service, or with a response that the proxy does not forward.
 */
export interface Failure {
  /** The operation; undefined if the request is not one. */
  readonly operation: OperationName | undefined;
  /** The error of the client or of `authorize`; or an error that describes the fault of the response. */
  readonly error: unknown;
  /** The status of the response. For a file that ends early, the status of its beginning. */
  readonly status: number;
  /** The page's request. */
  readonly request: Request;
}

/** Options of {@link createProxy}. */
export interface ProxyOptions {
  /** The client to send with. Use the client of the rest of the server, so that both share one set of limits. */
  readonly client: ProxyClient;
  /**
   * The operations that pages may use, by name (`'campaigns.list'`) or by resource (`'templates.*'`, which includes
   * operations that later versions add). The proxy refuses every other operation. An operation that returns a file
   * or a new secret, or that deletes an account, needs its full name.
   */
  readonly allow: readonly OperationPattern[];
  /**
   * Decides for each request who the visitor is, and whether they may send it: returns a visitor to allow it, a
   * `Response` to answer with, anything else to refuse. Gets the page's request with its cookies. Its body has
   * arrived, is within `maxBodyBytes`, and may be read. An error of this function goes to `onFailure`, and the
   * visitor gets a 500 without content.
   */
  readonly authorize: (
    request: Request,
    operation: OperationName,
    call: OperationCall,
  ) => Authorization | Promise<Authorization>;
  /** The path of the proxy, such as `/email`; the same as in `proxyHosts`. */
  readonly basePath: string;
  /**
   * The pages' origin, such as `https://app.example.com`. The proxy then requires an `Origin` header to equal it, and
   * `Host` to be its host, so that no page reaches the proxy under another name. Without this option, the proxy
   * trusts the browser's `Sec-Fetch-Site`. For older browsers, it compares `Origin` with the request's own address.
   */
  readonly origin?: string | undefined;
  /**
   * The largest part of each rate limit that one visitor gets, above 0 and at most 1. Further requests of the visitor
   * wait.
   *
   * @defaultValue 0.5
   */
  readonly share?: number | undefined;
  /**
   * The largest request body, in bytes. The body must arrive within the client's `deadlineMs`, or within its
   * `timeoutMs` if it has no deadline.
   *
   * @defaultValue 1_048_576
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * The largest total size, in bytes, of the bodies whose visitors `authorize` has not allowed yet. The proxy refuses
   * a body beyond it with 503.
   *
   * @defaultValue 67_108_864, or `maxBodyBytes` if that is larger
   */
  readonly maxPendingBytes?: number | undefined;
  /**
   * Whether responses keep addresses that work without the token, such as a message's `raw_message_url` or the
   * `download_path` of an attachment. Otherwise they are null.
   *
   * @defaultValue false
   */
  readonly signedUrls?: boolean | undefined;
  /** Called for every refused request. The visitor does not get the reason. */
  readonly onRefused?: ((refusal: Refusal) => void) | undefined;
  /**
   * Called for every failure without a response of the service, or with a response that the proxy does not forward:
   * the service is unreachable, its response repeats the token, or the proxy has a fault.
   */
  readonly onFailure?: ((failure: Failure) => void) | undefined;
}

/** The result of `authorize`: a visitor to allow, a `Response` to answer with, anything else to refuse. */
export type Authorization = Visitor | Response | false | null | undefined;

/** True for an origin in the form that a browser sends. */
const isOrigin = (value: unknown) =>
  typeof value === 'string' &&
  /^https?:/.test(value) &&
  URL.canParse(value) &&
  new URL(value).origin === value;

/** The form of an entry of `allow`. */
const NAME = 'a name such as campaigns.list or campaigns.*';

const isPositive = (value: unknown): value is number => typeof value === 'number' && value > 0;

/** The default of `maxBodyBytes`. */
export const DEFAULT_BODY_BYTES = 2 ** 20;

/** Throws if an option is missing, unknown or wrong. */
export function checkOptions(options: ProxyOptions, routes: readonly Route[]): void {
  const textOf = (rule: string, pattern: RegExp) =>
    mustBe(rule, (value) => typeof value === 'string' && pattern.test(value));
  const isName = (name: unknown) => routes.some((route) => isNamed(name, route));
  const rules: Rules<ProxyOptions> = {
    client: mustBe('a client', Boolean),
    allow: arrayOf(
      (name) =>
        isName(name) ? undefined : `must be ${NAME}${typeof name === 'string' ? `, not '${name}'` : ''}`,
      'a list of names such as campaigns.list or campaigns.*',
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
