import type { HostName } from '../core/request.ts';
import type { AccountPoolName, PoolName, RateLimit, Throttle, ThrottleKey } from '../core/throttle.ts';

/** The limits the service publishes. */
export const PUBLISHED_LIMITS: Readonly<Record<PoolName, RateLimit>> = {
  token: { requests: 150, perMs: 10_000 },
  contacts: { requests: 200, perMs: 60_000 },
  stats: { requests: 10, perMs: 60_000 },
  suppressions: { requests: 10, perMs: 60_000 },
  emailLogsList: { requests: 60, perMs: 60_000 },
  emailLogsGet: { requests: 1000, perMs: 60_000 },
};

/** The window of a pool in this throttle; the published one if the pool is switched off or there is no throttle. */
export const windowMsOf = (throttle: Throttle | undefined, key: ThrottleKey, pool: PoolName): number =>
  (throttle?.snapshot(key)[pool] ?? PUBLISHED_LIMITS[pool]).perMs;

/** Every pool, `token` first. */
export const POOL_NAMES = Object.keys(PUBLISHED_LIMITS) as readonly PoolName[];

/** Matches `/api/<resource>` and `/api/accounts/<id>/<resource>`, and captures the segment after the resource. */
const RESOURCE_PATH = /^\/*api\/+(?:accounts\/+([^/]+)\/+)?([^/]+)(?:\/+([^/]+))?/i;

function split(path: string): RegExpExecArray | null {
  return RESOURCE_PATH.exec(path.replace(/[?#].*$/s, ''));
}

/**
 * The account pool a request counts against besides `token`, determined by its host and path; undefined if there is
 * none. The statistics of a campaign do not count against the `stats` pool.
 */
export function poolOf(host: HostName, path: string): AccountPoolName | undefined {
  if (host !== 'api') return undefined;
  const [, , resource, rest] = split(path) ?? [];
  switch (resource?.toLowerCase()) {
    case 'contacts':
      return 'contacts';
    case 'stats':
      return 'stats';
    case 'suppressions':
      return 'suppressions';
    case 'email_logs':
      return rest === undefined ? 'emailLogsList' : 'emailLogsGet';
    default:
      return undefined;
  }
}

/** The account in a path, whose pools the request then counts against. */
export function accountOf(path: string): number | undefined {
  const [, account] = split(path) ?? [];
  return account !== undefined && /^\d+$/.test(account) ? Number(account) : undefined;
}
