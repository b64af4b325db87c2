/** How permits are granted: as soon as there is room, or spread over the window. */
export type Pace = 'burst' | 'even';

/**
 * The fate of a request: its response headers arrived; it provably never left; the call was aborted or the connection
 * broke; or no response arrived in time.
 */
export type Ending = 'answered' | 'neverSent' | 'abandoned' | 'timedOut';

/** A permit in use, as the window rule and the pools know it. */
export interface GrantedPermit {
  /** When it was granted: its request leaves at this moment or later. */
  readonly grantedAt: number;
  /** How long its request may take. */
  readonly timeoutMs: number;
  /** For the token's pool: permits in use when this one was granted, minus all those granted until then. */
  baseline: number;
}

/**
 * The moment at which the permit of a request that ends now is returned.
 *
 * The rule: a permit is taken before its request is sent, and returned one whole window after the response headers
 * arrive. The service counts the request at some moment in between; we cannot know which. Take all requests it counted
 * within any one window: when the last of them was sent, the permits of all the others were still in use. So there cannot
 * be more of them than there are permits, wherever the service's windows begin and however long responses take.
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
      // It may still be counted until it would have timed out.
      return Math.max(now, grantedAt + timeoutMs) + perMs;
    case 'timedOut':
      // It may be on its way for as long again.
      return now + timeoutMs + perMs;
  }
}
