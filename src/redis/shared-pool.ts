import type { PoolName, RateLimit } from '../core/limits.ts';
import type { Ending, HeldBack } from '../throttle/permit-window.ts';
import { Pool, type LimitCount, type SentRequest } from '../throttle/pool.ts';
import type { PoolState } from './scripts.ts';

/** Where the permits of all processes are kept. */
export interface PermitStore {
  /** Makes an id for a permit. */
  newId(): string;
  /** Says in how many ms a permit of a pool comes back. */
  settle(poolKey: string, id: string, ms: number): void;
}

/** How long a permit is out beyond its time, if its process says nothing more; longer than from tick to tick. */
const SLACK_MS = 2_500;
const HEARD_MS = 5_000; // by then Redis has heard what it was told, or is known to be lost
const IDLE_MS = 60_000; // a pool that was not used for so long is forgotten
const IN_FLIGHT_MS = 2_000; // without Redis: by then, and one window more, what others had in flight is back

/**
 * A pool whose limit is shared by several processes. A request needs a permit from Redis, besides what it needs in a
 * process by itself. While Redis cannot be asked, or not every process is back, this one keeps to its share.
 */
export class SharedPool extends Pool {
  /** What it is called in Redis. */
  readonly key: string;
  readonly #store: PermitStore;
  /** Permits that Redis gave for the calls that go now. */
  readonly #hand: string[] = [];
  /** The permits of requests in flight. */
  readonly #ids = new Map<SentRequest, string>();
  /** When each permit of this process comes back, or did a moment ago: what Redis has to be told when it was lost. */
  readonly #due = new Map<string, number>();
  #usedAt = -Infinity;
  #asksRedis = true;
  /** How many permits this process may have while it keeps to a share: the first number until then. */
  #share: { readonly first: number; readonly until: number; readonly then: number } | undefined;
  /** As Redis told last: permits out in all processes, those of this process, and when the next one comes back. */
  #told = { used: 0, own: 0, nextAt: 0 };

  constructor(name: PoolName, limit: RateLimit, key: string, store: PermitStore) {
    super(name, limit);
    this.key = key;
    this.#store = store;
  }

  /** Permits of this process. */
  own(now: number): number {
    return this.window.used(now);
  }

  /** For how many ms a permit is out, unless its process says more. */
  ttlMs(timeoutMs: number): number {
    return timeoutMs + this.limit.perMs + SLACK_MS;
  }

  /** How many more permits this process could use now, if Redis has them. */
  usable(now: number): number {
    const most = this.#cap(now) - this.own(now);
    return now < this.blockedUntil ? 0 : Math.max(0, Math.min(most, this.slowStart.left(now)));
  }

  /** When this process may be able to use more. */
  usableAt(now: number): number {
    return super.nextRoomAt(now);
  }

  override used(now: number): number {
    const elsewhere = this.#asksRedis ? Math.min(this.limit.requests, this.#told.used) : 0;
    return Math.max(this.own(now), elsewhere);
  }

  override hasRoom(now: number): boolean {
    return this.#asksRedis ? this.#hand.length > 0 && this.usable(now) > 0 : super.hasRoom(now);
  }

  /** While Redis is asked, it tells when to ask again. */
  override nextRoomAt(now: number): number {
    return this.#asksRedis ? Infinity : super.nextRoomAt(now);
  }

  override expect(nth: number, now: number): number {
    const most = Math.max(1, this.#cap(now));
    const place = ((nth - 1) % most) + 1;
    return super.expect(place, now) + ((nth - place) / most) * this.limit.perMs;
  }

  override take(sent: SentRequest, now: number): void {
    super.take(sent, now);
    const given = this.#hand.shift();
    const id = given ?? this.#store.newId();
    const ms = this.ttlMs(sent.timeoutMs);
    if (given === undefined) this.#store.settle(this.key, id, ms);
    this.#ids.set(sent, id);
    this.#due.set(id, now + ms);
    this.#usedAt = now;
  }

  override end(sent: SentRequest, ending: Ending, counts: LimitCount, now: number): number {
    // What the response shows of others, Redis knows better.
    const at = super.end(sent, ending, this.#asksRedis ? {} : counts, now);
    if (ending === 'neverSent') this.#told.used -= 1;
    const id = this.#ids.get(sent);
    this.#ids.delete(sent);
    if (id !== undefined) this.#settle(id, at, now);
    return at;
  }

  override isIdle(now: number): boolean {
    const isUsed = this.#due.size > 0 || this.waiting > 0 || this.#hand.length > 0;
    return !isUsed && now >= Math.max(this.blockedUntil, this.#usedAt + IDLE_MS);
  }

  /** Redis told how the pool stands, and gave these permits. */
  receive([used, blockedMs, nextMs]: PoolState, ids: readonly string[], now: number): void {
    this.#hand.push(...ids);
    this.#told = { used: used + ids.length, own: this.own(now) + ids.length, nextAt: now + nextMs };
    this.block(blockedMs, now);
    for (const [id, at] of this.#due) if (at < now - HEARD_MS) this.#due.delete(id);
  }

  /** Gives back permits that are not used here: those left over, or those that a lost answer may have given. */
  giveBack(now: number, ids: readonly string[] = this.#hand.splice(0)): number {
    for (const id of ids) this.#settle(id, now, now);
    return ids.length;
  }

  /** To be called once a second: no permit ends before its request does, however long that takes. */
  renew(now: number): void {
    for (const id of this.#ids.values()) {
      if ((this.#due.get(id) ?? 0) < now + SLACK_MS) this.#settle(id, now + 2 * SLACK_MS, now);
    }
  }

  /** Redis is back: tells it of every permit. */
  tellAll(now: number): void {
    for (const [id, at] of this.#due) this.#store.settle(this.key, id, at - now);
  }

  /**
   * Whether Redis is asked; and of how many processes this is one, if it has to keep to an equal share of the limit. At
   * first some may have more than that; until those permits have come back, the others grow only by an equal part of
   * what was free. So all together never exceed the limit.
   */
  follow(asksRedis: boolean, sharers: number | undefined, now: number): void {
    const free = this.limit.requests - this.used(now);
    this.#asksRedis = asksRedis;
    if (sharers === undefined) {
      this.#share = undefined;
      return;
    }
    // With more processes than permits some process must still be able to send.
    const then = Math.max(1, Math.floor(this.limit.requests / sharers));
    const had = Math.max(this.#told.own, this.own(now));
    const first = Math.min(then, had + Math.floor(free / sharers));
    this.#share ??= { first, until: now + this.limit.perMs + IN_FLIGHT_MS, then };
  }

  protected override heldBack(now: number): HeldBack {
    const seen = super.heldBack(now);
    const own = this.own(now);
    const others = this.#share
      ? {
          held: this.limit.requests - this.#cap(now),
          heldUntil: now < this.#share.until ? this.#share.until : Infinity,
        }
      : { held: this.used(now) - own, heldUntil: Math.max(now, this.#told.nextAt) };
    return others.held > seen.held ? { ...seen, ...others } : seen;
  }

  /** How many permits this process may have. */
  #cap(now: number): number {
    if (this.#share === undefined) return this.limit.requests;
    return now < this.#share.until ? this.#share.first : this.#share.then;
  }

  #settle(id: string, at: number, now: number): void {
    this.#due.set(id, at);
    this.#store.settle(this.key, id, at - now);
  }
}
