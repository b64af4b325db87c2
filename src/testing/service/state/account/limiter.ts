import { objectOf, or, period, positive } from '../../../declare/kind.ts';
import { defined } from '../../../../kit/defined.ts';
import type { State } from '../base/state.ts';
import {
  unusedWindow,
  windowRule,
  type EmulatorWindowKind,
  type WindowRule,
  type WindowState,
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
  | 'templatesCreate'
  | 'subAccountsDelete';

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
// oxlint-disable-next-line typescript/consistent-indexed-object-style -- editors name a mapped type, and spell a Record out
export type EmulatorLimits = { [Pool in EmulatorPool]?: EmulatorLimit | false };

const PUBLISHED: Readonly<Record<EmulatorPool, EmulatorLimit>> = {
  token: { requests: 150, perMs: 10_000 },
  contacts: { requests: 200, perMs: 60_000 },
  stats: { requests: 10, perMs: 60_000 },
  suppressions: { requests: 10, perMs: 60_000 },
  emailLogsList: { requests: 60, perMs: 60_000 },
  emailLogsGet: { requests: 1000, perMs: 60_000 },
  templatesList: { requests: 150, perMs: 60_000 },
  templatesCreate: { requests: 150, perMs: 60_000 },
  subAccountsDelete: { requests: 10, perMs: 60_000 },
};

const orOff = or(limit, false);

/** The kind of {@link EmulatorLimits}. */
export const limitsOfPools = objectOf<EmulatorLimits>(
  Object.fromEntries(Object.keys(PUBLISHED).map((pool) => [pool, orOff])) as Record<
    EmulatorPool,
    typeof orOff
  >,
);

/** A pool that a request counts against, and the token or account that it counts for. */
export interface PoolUse {
  readonly pool: EmulatorPool;
  readonly key: string;
}

/** The exhausted pool, and the time of its reset, in milliseconds. */
export interface Refused {
  readonly pool: EmulatorPool;
  readonly resetAt: number;
}

/** A limit, and how its windows behave. */
interface Pool extends EmulatorLimit {
  readonly rule: WindowRule;
}

/** Records the use of the limits beyond a reset. */
export interface LimitRecorder {
  /** Records that a pool has counted a request: its limit, and its requests so far in the window. */
  used(pool: EmulatorPool, limit: EmulatorLimit, used: number): void;
}

/** Counts requests against their pools. */
export class Limiter {
  readonly #pools: ReadonlyMap<EmulatorPool, Pool>;
  readonly #windows: Map<string, WindowState>;
  readonly #recorder: LimitRecorder | undefined;

  constructor(
    limits: EmulatorLimits | false,
    kind: EmulatorWindowKind,
    state: State,
    recorder?: LimitRecorder,
  ) {
    this.#recorder = recorder;
    const resolved: EmulatorLimits = limits === false ? {} : { ...PUBLISHED, ...defined(limits) };
    const pools = Object.entries(resolved) as [EmulatorPool, EmulatorLimit | false][];
    this.#pools = new Map(
      pools.flatMap(([name, limit]) =>
        limit === false ? [] : [[name, { ...limit, rule: windowRule(kind, limit.perMs) }]],
      ),
    );
    this.#windows = state.part('limits', new Map<string, WindowState>());
  }

  /** Counts a request in all of its pools. If one is exhausted, counts it in none and returns that pool. */
  take(uses: readonly PoolUse[], now: number): Refused | undefined {
    const limited = uses.flatMap((use) => {
      const pool = this.#pools.get(use.pool);
      return pool === undefined ? [] : [{ name: use.pool, pool, window: this.#window(use) }];
    });
    for (const { name, pool, window } of limited)
      if (pool.rule.used(window, now) >= pool.requests)
        return { pool: name, resetAt: pool.rule.resetAt(window, now) };
    for (const { name, pool, window } of limited) {
      pool.rule.take(window, now);
      this.#recorder?.used(name, pool, pool.rule.used(window, now));
    }
    return undefined;
  }

  /** The values of the rate-limit headers; `undefined` if the pool has no limit. */
  state(use: PoolUse, now: number): { limit: number; remaining: number } | undefined {
    const pool = this.#pools.get(use.pool);
    if (pool === undefined) return undefined;
    const remaining = Math.max(0, pool.requests - pool.rule.used(this.#window(use), now));
    return { limit: pool.requests, remaining };
  }

  /** The end of the pool's current window, in milliseconds; `undefined` if the pool has no limit. */
  resetAt(use: PoolUse, now: number): number | undefined {
    return this.#pools.get(use.pool)?.rule.resetAt(this.#windows.get(keyOf(use)) ?? unusedWindow(), now);
  }

  /** Forgets what was counted: a client that did not see that much time pass must not be refused for it. */
  forget(): void {
    this.#windows.clear();
  }

  #window(use: PoolUse): WindowState {
    const key = keyOf(use);
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    const created = unusedWindow();
    this.#windows.set(key, created);
    return created;
  }
}

const keyOf = ({ pool, key }: PoolUse) => `${pool} ${key}`;
