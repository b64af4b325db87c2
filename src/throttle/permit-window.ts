/** When permits are granted: as soon as one is free, or spread over the window. */
export type Pace = 'burst' | 'even';

/**
 * The end of a request: its response headers arrived; it provably never left; the call was aborted or the connection
 * broke; or no response arrived in time.
 */
export type Ending = 'answered' | 'neverSent' | 'abandoned' | 'timedOut';

/** A limit in response headers, and the time of the response on the service's clock, in milliseconds since 1970. */
export interface LimitCount {
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
  readonly date?: number | undefined;
}

/** The facts of a permit in use for the window rule and the pools. */
export interface GrantedPermit {
  /** When it was granted: its request leaves at this moment or later. */
  readonly grantedAt: number;
  /** Milliseconds that its request may take. */
  readonly timeoutMs: number;
  /** For the token's pool: permits in use when this one was granted, minus all those granted until then. */
  baseline: number;
}

/**
 * The moment at which the permit of a request that ends now is returned.
 *
 * The rule: a permit is taken before its request is sent, and returned one whole window after the response headers
 * arrive. The service counts the request at an unknown moment in between. Take all requests it counted within any one
 * window: when the last of them was sent, the permits of all the others were still in use. So their number is at most
 * the number of permits, wherever the service's windows begin and however long responses take.
 */
export function returnsAt(
  ending: Ending,
  { grantedAt, timeoutMs }: Pick<GrantedPermit, 'grantedAt' | 'timeoutMs'>,
  perMs: number,
  now: number,
): number {
  switch (ending) {
    case 'answered':
      return now + perMs;
    case 'neverSent':
      return now;
    case 'abandoned':
      // The service may count it until its timeout.
      return Math.max(now, grantedAt + timeoutMs) + perMs;
    case 'timedOut':
      // The request may take the same time again to arrive.
      return now + timeoutMs + perMs;
  }
}
