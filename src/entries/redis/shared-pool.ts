import type { PoolName, RateLimit } from '../../core/limits.ts';
import type { Ending, GrantedPermit, LimitCount } from '../../throttle/permit-window.ts';
import { Pool, type HeldBack } from '../../throttle/pool.ts';
import type { PoolState } from './scripts.ts';

/** The store with the permits of all processes. */
export interface PermitStore {
  /** A unique id for a permit. */
  newId(): string;
  /** Sets the milliseconds until a permit of a pool is returned. */
  returnIn(poolKey: string, id: string, ms: number): void;
  /** Blocks a pool for this many milliseconds: no process takes permits from it. */
  block(poolKey: string, ms: number): void;
}

/** How a limit is divided while not all processes share it. */
export interface Division {
  /** The number of processes. */
  readonly sharers: number;
  /** The time since which the limit is divided. */
  readonly since: number;
  /** The time of Redis's last report about a pool; -Infinity before the first. */
  readonly heardAt: number;
}

/** Milliseconds by which a permit is returned late if its process does not renew it. Longer than one tick. */
const SLACK_MS = 2_500;
const HEARD_MS = 5_000; // after it, a command has reached Redis, or the connection counts as lost
const FRESH_MS = 1_000; // an older permit is renewed when it is taken
const STALE_MS = 1_500; // a report this much older than the last one about any pool is not trusted; longer than one tick
const IDLE_MS = 60_000; // a pool that was not used for this long is forgotten
const IN_FLIGHT_MS = 2_000; // without Redis: this and one window later, the permits of other processes' requests in flight are returned

/** Milliseconds since a permit was granted, including the time for which the process or the machine was suspended. */
type Age = () => number;

/** A permit in Redis. */
interface SharedPermit {
  readonly id: string;
  readonly ageMs: Age;
}

/**
 * A pool whose limit several processes share. A request needs a permit from Redis, besides a permit of this process.
 * While Redis is unreachable, or some processes have not reconnected, this process keeps to its share.
 */
export class SharedPool extends Pool {
  /** Its name in Redis. */
  readonly key: string;
  readonly #store: PermitStore;
  readonly #stopwatch: () => Age;
  /** Permits that Redis granted and that no request has taken yet. */
  readonly #granted: SharedPermit[] = [];
  /** The permits of requests in flight. */
  readonly #ids = new Map<GrantedPermit, SharedPermit>();
  /**
   * By id: the time at which each permit of this process is, or recently was, returned. A Redis that lost its data
   * gets these again.
   */
  readonly #due = new Map<string, number>();
  #usedAt = -Infinity;
  #usesRedis = true;
  /**
   * Number of permits that this process may have while it keeps to a share: `first` before `until`, and `then` after
   * it.
   */
  #share: { readonly first: number; readonly until: number; readonly then: number } | undefined;
  /**
   * Redis's last report: the permits in use by all processes and by this one, and the time at which the next is
   * returned.
   */
  #reported = { used: 0, own: 0, nextAt: 0 };
  #reportedAt = -Infinity;

  constructor(name: PoolName, limit: RateLimit, key: string, store: PermitStore, stopwatch: () => Age) {
    super(name, limit);
    this.key = key;
    this.#store = store;
    this.#stopwatch = stopwatch;
  }

  /** The time of Redis's last report. */
  get reportedAt(): number {
    return this.#reportedAt;
  }

  /** Milliseconds after which a permit is returned if its process does not change that. */
  ttlMs(timeoutMs: number): number {
    return timeoutMs + this.limit.perMs + SLACK_MS;
  }

  /** Whether a permit of this age certainly still counts one window after `ms` milliseconds from now. */
  isValid(ageMs: number, timeoutMs: number, ms = 0): boolean {
    return ageMs + ms + this.limit.perMs <= this.ttlMs(timeoutMs);
  }

  override lasts(permit: GrantedPermit, ms: number): boolean {
    const shared = this.#ids.get(permit);
    return shared === undefined || this.isValid(shared.ageMs(), permit.timeoutMs, ms);
  }

  /** Number of further permits that this process could use now, if Redis has them. */
  usable(now: number): number {
    const most = this.#cap(now) - this.own(now);
    return now < this.blockedUntil ? 0 : Math.max(0, Math.min(most, this.allowed(now)));
  }

  /** Earliest time at which this process may use more permits. */
  usableAt(now: number): number {
    const at = super.roomAt(now);
    // With room in the pool, this process has used its part: it waits for the return of one of its own permits.
    return at > now ? at : Math.min(this.nextReturn, this.heldBack(now).heldUntil);
  }

  override used(now: number): number {
    const elsewhere = this.#usesRedis ? Math.min(this.limit.requests, this.#reported.used) : 0;
    return Math.max(this.own(now), elsewhere);
  }

  /** With Redis, its reply gives the time of the next request for permits. */
  override roomAt(now: number): number {
    if (!this.#usesRedis) return super.roomAt(now);
    return this.#granted.length > 0 && this.usable(now) > 0 ? now : Infinity;
  }

  override expect(nth: number, now: number): number {
    const most = Math.max(1, this.#cap(now));
    const place = ((nth - 1) % most) + 1;
    return super.expect(place, now) + ((nth - place) / most) * this.limit.perMs;
  }

  override take(sent: GrantedPermit, now: number): void {
    super.take(sent, now);
    const granted = this.#granted.shift();
    const id = granted?.id ?? this.#store.newId();
    const ms = this.ttlMs(sent.timeoutMs);
    const isFresh = granted !== undefined && granted.ageMs() <= FRESH_MS;
    if (!isFresh) this.#store.returnIn(this.key, id, ms);
    this.#ids.set(sent, isFresh ? granted : { id, ageMs: this.#stopwatch() });
    this.#due.set(id, now + ms);
    this.#usedAt = now;
  }

  override end(sent: GrantedPermit, ending: Ending, counts: LimitCount, now: number): number {
    // Ignores the response's counts with Redis: its report of the other processes' use is more exact.
    const at = super.end(sent, ending, this.#usesRedis ? {} : counts, now);
    if (ending === 'neverSent') this.#reported.used -= 1;
    const permit = this.#ids.get(sent);
    this.#ids.delete(sent);
    if (permit) this.#returnAt(permit.id, at, now);
    return at;
  }

  override block(ms: number, now: number): void {
    super.block(ms, now);
    this.#store.block(this.key, ms);
  }

  override isIdle(now: number): boolean {
    const isUsed = this.#due.size > 0 || this.waiting > 0 || this.#granted.length > 0;
    return !isUsed && now >= Math.max(this.blockedUntil, this.#usedAt + IDLE_MS);
  }

  /** Stores the state of the pool in Redis, and the permits that Redis granted. */
  receive([used, blockedMs, nextMs]: PoolState, ids: readonly string[], ageMs: Age, now: number): void {
    this.#granted.push(...ids.map((id) => ({ id, ageMs })));
    this.#reported = { used: used + ids.length, own: this.own(now) + ids.length, nextAt: now + nextMs };
    this.#reportedAt = now;
    super.block(blockedMs, now);
  }

  /** Returns unused permits: the remaining granted ones, or `ids` that a lost reply may have granted. */
  giveBack(now: number, ids = this.#granted.splice(0).map(({ id }) => id)): number {
    for (const id of ids) this.#returnAt(id, now, now);
    return ids.length;
  }

  /**
   * Renews permits, so that none is returned before its request ends, and forgets those that were returned long before
   * Redis's last report. Call it once a second.
   */
  renew(now: number, heardAt: number): void {
    for (const [id, at] of this.#due) if (at < heardAt - HEARD_MS) this.#due.delete(id);
    for (const { id } of this.#ids.values()) {
      if ((this.#due.get(id) ?? 0) < now + SLACK_MS) this.#returnAt(id, now + 2 * SLACK_MS, now);
    }
  }

  /** Registers every permit, after Redis was lost. */
  registerAll(now: number): void {
    for (const [id, at] of this.#due) this.#store.returnIn(this.key, id, at - now);
  }

  /**
   * Sets whether Redis is used, and how the limit is divided while not all processes share it. At first some processes
   * may have more than their share. Until those permits are returned, the others may add only an equal share of the
   * free permits. An outdated report shows no free permits: other processes may have taken them since. So all processes
   * together never exceed the limit.
   */
  follow(usesRedis: boolean, division: Division | undefined, now: number): void {
    const free = this.limit.requests - this.used(now);
    this.#usesRedis = usesRedis;
    if (division === undefined) {
      this.#share = undefined;
      return;
    }
    const { sharers, since, heardAt } = division;
    // Every process must be able to send, even if there are more of them than permits.
    const then = Math.max(1, Math.floor(this.limit.requests / sharers));
    const isStale = this.#reportedAt < heardAt - STALE_MS;
    const had = isStale ? this.own(now) : Math.max(this.#reported.own, this.own(now));
    const first = Math.min(then, had + (isStale ? 0 : Math.floor(free / sharers)));
    this.#share ??= { first, until: since + this.limit.perMs + IN_FLIGHT_MS, then };
  }

  protected override heldBack(now: number): HeldBack {
    const seen = super.heldBack(now);
    const own = this.own(now);
    const others = this.#share
      ? {
          held: this.limit.requests - this.#cap(now),
          heldUntil: now < this.#share.until ? this.#share.until : Infinity,
        }
      : { held: this.used(now) - own, heldUntil: Math.max(now, this.#reported.nextAt) };
    return others.held > seen.held ? others : seen;
  }

  /** Number of permits that this process may have. */
  #cap(now: number): number {
    if (this.#share === undefined) return this.limit.requests;
    return now < this.#share.until ? this.#share.first : this.#share.then;
  }

  #returnAt(id: string, at: number, now: number): void {
    this.#due.set(id, at);
    this.#store.returnIn(this.key, id, at - now);
  }
}
