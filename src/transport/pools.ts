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

/** The window of a pool, as this throttle keeps it; the published one where it does not, or where there is none. */
export const windowMsOf = (throttle: Throttle | undefined, key: ThrottleKey, pool: PoolName): number =>
  (throttle?.snapshot(key)[pool] ?? PUBLISHED_LIMITS[pool]).perMs;

/** Every pool, `token` first. */
export const POOL_NAMES = Object.keys(PUBLISHED_LIMITS) as readonly PoolName[];

/** The two path families: `/api/<resource>` and `/api/accounts/<id>/<resource>`, with what follows the resource. */
const RESOURCE_PATH = /^\/*api\/+(?:accounts\/+([^/]+)\/+)?([^/]+)(?:\/+([^/]+))?/i;

function split(path: string): RegExpExecArray | null {
  return RESOURCE_PATH.exec(path.replace(/[?#].*$/s, ''));
}

/**
 * The account pool a request counts against beside `token`, found from its host and path; undefined when there is
 * none. The statistics of one campaign belong to the campaign, not to the `stats` pool.
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

/** The account a path names, which is then the one whose pools the request counts against. */
export function accountOf(path: string): number | undefined {
  const [, account] = split(path) ?? [];
  return account !== undefined && /^\d+$/.test(account) ? Number(account) : undefined;
}
