import { check } from './checks/argument.ts';
import { mapOf, objectOf, period, positive } from './checks/kind.ts';
import { defined } from './option.ts';
import {
  createWindow,
  windowKind,
  type EmulatorWindowKind,
  type RateWindow,
  type SavedWindow,
} from './windows.ts';

/** A rate-limit pool of the service: `token` counts per API token, the others per account. */
export type EmulatorPool =
  | 'token'
  | 'contacts'
  | 'stats'
  | 'suppressions'
  | 'emailLogsList'
  | 'emailLogsGet'
  | 'templatesList'
  | 'templatesCreate';

/** How many requests a pool accepts in a window. */
export interface EmulatorLimit {
  /** The number of requests per window. */
  requests: number;
  /** The length of the window, in milliseconds. */
  perMs: number;
}

/** The kind of a limit. */
export const limit = objectOf<EmulatorLimit>({ requests: positive, perMs: period }, ['requests', 'perMs']);

/** Limits that replace the published ones. `false` removes the limit of a pool. */
export type EmulatorLimits = Partial<Record<EmulatorPool, EmulatorLimit | false>>;

type ResolvedLimits = Readonly<Record<EmulatorPool, EmulatorLimit | false>>;

const PUBLISHED: ResolvedLimits = {
  token: { requests: 150, perMs: 10_000 },
  contacts: { requests: 200, perMs: 60_000 },
  stats: { requests: 10, perMs: 60_000 },
  suppressions: { requests: 10, perMs: 60_000 },
  emailLogsList: { requests: 60, perMs: 60_000 },
  emailLogsGet: { requests: 1000, perMs: 60_000 },
  templatesList: { requests: 150, perMs: 60_000 },
  templatesCreate: { requests: 150, perMs: 60_000 },
};

const UNLIMITED: ResolvedLimits = {
  token: false,
  contacts: false,
  stats: false,
  suppressions: false,
  emailLogsList: false,
  emailLogsGet: false,
  templatesList: false,
  templatesCreate: false,
};

/** A pool that a request counts against, and the token or account that it counts for. */
export interface PoolUse {
  readonly pool: EmulatorPool;
  readonly key: string;
}

/** The pool that is exhausted, and when it is available again. */
export interface Refused {
  readonly pool: EmulatorPool;
  readonly resetAt: number;
}

/** Counts requests against their pools. */
export class Limiter {
  readonly #limits: ResolvedLimits;
  readonly #kind: EmulatorWindowKind;
  readonly #windows = new Map<string, RateWindow>();

  constructor(limits: EmulatorLimits | false, kind: EmulatorWindowKind) {
    this.#limits = limits === false ? UNLIMITED : { ...PUBLISHED, ...defined(limits) };
    this.#kind = kind;
  }

  /** Counts a request in all of its pools. If one is exhausted, counts it in none and returns that pool. */
  take(uses: readonly PoolUse[], now: number): Refused | undefined {
    for (const use of uses) {
      const limit = this.#limits[use.pool];
      if (limit === false) continue;
      const window = this.#window(use, limit);
      if (window.used(now) >= limit.requests) return { pool: use.pool, resetAt: window.resetAt(now) };
    }
    for (const use of uses) {
      const limit = this.#limits[use.pool];
      if (limit !== false) this.#window(use, limit).take(now);
    }
    return undefined;
  }

  /** The values of the rate-limit headers; `undefined` if the pool has no limit. */
  state(use: PoolUse, now: number): { limit: number; remaining: number } | undefined {
    const limit = this.#limits[use.pool];
    if (limit === false) return undefined;
    const remaining = Math.max(0, limit.requests - this.#window(use, limit).used(now));
    return { limit: limit.requests, remaining };
  }

  /** When the window ends that a request would count in now; `undefined` if the pool has no limit. */
  resetAt({ pool, key }: PoolUse, now: number): number | undefined {
    const limit = this.#limits[pool];
    if (limit === false) return undefined;
    return (this.#windows.get(`${pool} ${key}`) ?? createWindow(this.#kind, limit.perMs)).resetAt(now);
  }

  save(): Record<string, SavedWindow> {
    return Object.fromEntries([...this.#windows].map(([name, window]) => [name, window.save()]));
  }

  load(saved: unknown, name: string): void {
    check(mapOf(windowKind), saved, name);
    for (const [use, one] of Object.entries(saved as Record<string, SavedWindow>)) {
      const [pool = '', key = ''] = use.split(' ');
      const own = Object.hasOwn(this.#limits, pool) ? this.#limits[pool as EmulatorPool] : false;
      if (own !== false) this.#window({ pool: pool as EmulatorPool, key }, own).load(one);
    }
  }

  #window(use: PoolUse, limit: EmulatorLimit): RateWindow {
    const name = `${use.pool} ${use.key}`;
    const known = this.#windows.get(name);
    if (known !== undefined) return known;
    const created = createWindow(this.#kind, limit.perMs);
    this.#windows.set(name, created);
    return created;
  }
}
