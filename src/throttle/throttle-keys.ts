import type { PoolName, RateLimit, ThrottleKey } from '../core/throttle.ts';
import type { LimitedPool } from './limited-pool.ts';

/** The limits in force; pools that are switched off are absent. */
export type LimitTable = Readonly<Partial<Record<PoolName, RateLimit>>>;

/** Creates a pool of the token or account in `key`. */
export type CreatePool = (name: PoolName, limit: RateLimit, key: ThrottleKey) => LimitedPool;

type Owned = Map<PoolName, LimitedPool>;

/** Below this many keys, none are forgotten. */
const FEW = 64;

/** The pools of every token and account in use. Idle ones are forgotten, so that any number can come and go. */
export class ThrottleKeys {
  readonly #limits: LimitTable;
  readonly #createPool: CreatePool;
  readonly #byToken = new Map<unknown, Owned>();
  readonly #byAccount = new Map<number, Owned>();
  #clearAt = FEW;

  constructor(limits: LimitTable, createPool: CreatePool) {
    this.#limits = limits;
    this.#createPool = createPool;
  }

  /** Number of tokens and accounts kept. */
  get size(): number {
    return this.#byToken.size + this.#byAccount.size;
  }

  /** A pool, if it exists already. */
  find(name: PoolName, key: ThrottleKey): LimitedPool | undefined {
    return this.#owner(name, key)?.get(name);
  }

  /** A pool, created if need be; undefined if it is switched off. */
  get(name: PoolName, key: ThrottleKey, now: number): LimitedPool | undefined {
    const limit = this.#limits[name];
    return limit === undefined ? undefined : (this.find(name, key) ?? this.#create(name, limit, key, now));
  }

  #create(name: PoolName, limit: RateLimit, key: ThrottleKey, now: number): LimitedPool {
    let owner = this.#owner(name, key);
    if (owner === undefined) {
      this.#clear(now, key);
      owner = new Map();
      if (name === 'token' || key.accountId === undefined) this.#byToken.set(key.token, owner);
      else this.#byAccount.set(key.accountId, owner);
    }
    const pool = this.#createPool(name, limit, key);
    owner.set(name, pool);
    return pool;
  }

  #owner(name: PoolName, key: ThrottleKey): Owned | undefined {
    // Without an account id the token stands for its account.
    if (name === 'token' || key.accountId === undefined) return this.#byToken.get(key.token);
    return this.#byAccount.get(key.accountId);
  }

  /**
   * Forgets idle keys whenever their number has doubled, so that the cost per new key is constant on average. Not those
   * of `kept`: a call may just have been given one of its pools, which is idle until the call has the other as well.
   */
  #clear(now: number, kept: ThrottleKey): void {
    if (this.size < this.#clearAt) return;
    const clear = <Key>(owners: Map<Key, Owned>, keptKey: Key) => {
      for (const [key, owner] of owners) {
        if (key !== keptKey && [...owner.values()].every((pool) => pool.isIdle(now))) owners.delete(key);
      }
    };
    clear<unknown>(this.#byToken, kept.token);
    clear<number | undefined>(this.#byAccount, kept.accountId);
    this.#clearAt = Math.max(FEW, 2 * this.size);
  }
}
