/** The request of a call, once its arguments are checked and written. */
import type { AccountPoolName } from '../core/limits.ts';
import type { KeyedMails, RequestOptions, RequestSpec, SentWhile } from '../core/request.ts';
import type { ThrottleKey } from '../throttle/permit.ts';
import type { RetryLimits } from './retry-policy.ts';

/** The parts of a request that errors and events name. */
export type RequestName = Pick<RequestSpec<unknown>, 'operation' | 'method' | 'host' | 'path'>;

/** A checked and serialized request. It keeps only the parts of its spec that the call needs later. */
export interface PreparedRequest
  extends RequestName, SentWhile, Pick<RequestSpec<unknown>, 'decoder' | 'ifLost'> {
  readonly signedUrl: string | undefined;
  /** The emails with keys, which each attempt claims; undefined for a request without one, and until `completed`. */
  readonly keyed: KeyedMails<unknown> | undefined;
  /** Whether the request carries the token and the client's headers. A signed URL of another server does not. */
  readonly carriesToken: boolean;
  readonly isRepeatable: boolean;
  readonly options: RequestOptions;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  /** Milliseconds for the whole call; Infinity without a deadline. */
  readonly deadlineMs: number;
  readonly retry: RetryLimits;
  readonly address: string;
  /** Starts with `?`, or is empty. */
  readonly query: string;
  /** The body, written when the call starts: later changes to the caller's objects are not sent. `completed` adds attachments. */
  readonly body: string | Blob | undefined;
  readonly pool: AccountPoolName | undefined;
  readonly key: ThrottleKey;
}
