import { createWindow, type EmulatorWindowKind, type RateWindow } from './windows.ts';

/** A pool of requests the service limits: `token` per API token, the others per account. */
export type EmulatorPool = 'token' | 'contacts' | 'stats' | 'suppressions' | 'emailLogsList' | 'emailLogsGet';

/** How many requests a pool lets through in a window. */
export interface EmulatorLimit {
  /** Requests per window. */
  requests: number;
  /** Length of the window, in milliseconds. */
  perMs: number;
}

/** Limits to use instead of the published ones; `false` switches a pool off. */
export type EmulatorLimits = Partial<Record<EmulatorPool, EmulatorLimit | false>>;

type ResolvedLimits = Readonly<Record<EmulatorPool, EmulatorLimit | false>>;

const published: ResolvedLimits = {
  token: { requests: 150, perMs: 10_000 },
  contacts: { requests: 200, perMs: 60_000 },
  stats: { requests: 10, perMs: 60_000 },
  suppressions: { requests: 10, perMs: 60_000 },
  emailLogsList: { requests: 60, perMs: 60_000 },
  emailLogsGet: { requests: 1000, perMs: 60_000 },
};

const unlimited: ResolvedLimits = {
  token: false,
  contacts: false,
  stats: false,
  suppressions: false,
  emailLogsList: false,
  emailLogsGet: false,
};

/** A pool a request draws on, and whose share of it. */
export interface PoolUse {
  readonly pool: EmulatorPool;
  readonly key: string;
}

/** The pool that had no room, and when it has again. */
export interface Refused {
  readonly pool: EmulatorPool;
  readonly resetAt: number;
}

/** Counts requests against every pool they draw on. */
export class Limiter {
  readonly #limits: ResolvedLimits;
  readonly #kind: EmulatorWindowKind;
  readonly #windows = new Map<string, RateWindow>();

  constructor(limits: EmulatorLimits | false, kind: EmulatorWindowKind) {
    this.#limits = limits === false ? unlimited : { ...published, ...limits };
    this.#kind = kind;
  }

  /** Counts a request in all its pools, or, when one has no room, in none of them and says which. */
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

  /** What the rate-limit headers tell; `undefined` when the pool is switched off. */
  state(use: PoolUse, now: number): { limit: number; remaining: number } | undefined {
    const limit = this.#limits[use.pool];
    if (limit === false) return undefined;
    const remaining = Math.max(0, limit.requests - this.#window(use, limit).used(now));
    return { limit: limit.requests, remaining };
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
