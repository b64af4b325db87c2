import type Bottleneck from 'bottleneck';
import type { RateLimit } from '../core/throttle.ts';
import type { RedisLink } from './link.ts';
import { BLOCK, HAND_OVER } from './scripts.ts';

/** A permit of a shared pool: a job that runs in Bottleneck's Redis datastore until it is ended. */
export interface Lease {
  /** Since when it runs, on the clock of `now`. */
  readonly since: number;
  /** When Redis would end it without us. */
  readonly expiresAt: number;
  end(): void;
}

export interface LeaseSourceOptions {
  readonly id: string;
  readonly limit: RateLimit;
  readonly keyTtlMs: number;
  readonly link: RedisLink;
  readonly now: () => number;
  /** A lease that was asked for begins. */
  readonly onLease: (lease: Lease) => void;
  /** Another process was refused: nothing goes for so long. */
  readonly onBlocked: (ms: number) => void;
}

/** A silent process's jobs are ended, and forgotten messages made good, at this interval. */
const HEARTBEAT_MS = 1_000;
const BLOCKED = 'blocked:';

/** The longest time a timer can wait; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * The leases of one pool: a limiter of Bottleneck's with as many concurrent jobs as the limit allows, in all processes
 * together. Its own queue holds only what was asked for and not granted yet.
 */
export class LeaseSource {
  /** Leases asked for that have not begun. */
  asked = 0;
  readonly #options: LeaseSourceOptions;
  readonly #limiter: Bottleneck;
  /** The ends of the jobs that run. */
  readonly #running = new Map<Lease, () => void>();
  /** Leases that ended while Redis was away: their jobs go on until it can be told. */
  #ended = new Set<Lease>();
  #renewedAt: number;

  private constructor(options: LeaseSourceOptions, limiter: Bottleneck) {
    this.#options = options;
    this.#limiter = limiter;
    this.#renewedAt = options.now();
  }

  /** Opens the pool in Redis; rejects when that cannot be done now. */
  static async open(options: LeaseSourceOptions): Promise<LeaseSource> {
    const { id, limit, link, keyTtlMs } = options;
    const limiter = link.limiter({
      id,
      maxConcurrent: limit.requests,
      timeout: keyTtlMs,
      heartbeatInterval: HEARTBEAT_MS,
    });
    if (limiter === undefined) throw new Error('Redis cannot be reached now.');
    limiter.on('error', (error: unknown) => link.suspect(error));
    await limiter.ready();
    const source = new LeaseSource(options, limiter);
    await source.#renew();
    limiter.on('message', (message: string) => {
      const ms = Number(message.slice(BLOCKED.length));
      if (message.startsWith(BLOCKED) && ms > 0) options.onBlocked(ms);
    });
    return source;
  }

  /** Asks for a lease that Redis ends after `leaseMs` if nobody does before. */
  ask(leaseMs: number): void {
    const { now, onLease, link } = this.#options;
    const expiration = Math.min(Math.ceil(leaseMs), LONGEST_MS);
    let lease: Lease | undefined;
    this.asked += 1;
    this.#limiter
      .schedule(
        { expiration },
        () =>
          new Promise<void>((resolve) => {
            const since = now();
            const begun: Lease = { since, expiresAt: since + expiration, end: () => this.#end(begun) };
            lease = begun;
            this.asked -= 1;
            this.#running.set(begun, resolve);
            onLease(begun);
          }),
      )
      .catch((error: unknown) => {
        if (lease !== undefined) return;
        this.asked -= 1;
        link.suspect(error);
      })
      .finally(() => {
        if (lease === undefined) return;
        this.#running.delete(lease);
        this.#ended.delete(lease);
      });
  }

  /** A lease that ended while Redis was away: there it still runs, and can serve another request until `outliving`. */
  spare(outliving: number): Lease | undefined {
    for (const lease of this.#ended) {
      if (lease.expiresAt < outliving) continue;
      this.#ended.delete(lease);
      return lease;
    }
    return undefined;
  }

  /** Tells Redis of the leases that ended while it was away. */
  catchUp(): void {
    const ended = this.#ended;
    this.#ended = new Set();
    for (const lease of ended) this.#end(lease);
  }

  /** Leases out in all processes; meanwhile keeps the pool's keys alive as long as leases are out. */
  async count(): Promise<number> {
    const { now, keyTtlMs } = this.#options;
    if (now() - this.#renewedAt > keyTtlMs / 4) await this.#renew();
    return this.#limiter.running();
  }

  /** Has the pool blocked for `ms` in all processes, 0 to ask only; resolves with the time left. */
  async block(ms: number): Promise<number> {
    const { id, link } = this.#options;
    const left = (await link.run(BLOCK, [`${id}:blocked`], [Math.ceil(ms)])) as number;
    if (ms > 0) await this.#limiter.publish(`${BLOCKED}${left}`);
    return left;
  }

  /**
   * The process ends: tells Redis in how many ms each lease is due that is over but for its window. The others expire.
   * Bottleneck has no way to do so; without it, the permits of a process that ends would be out until they expire.
   */
  async handOver(dueInMs: readonly number[]): Promise<void> {
    const { id, link } = this.#options;
    // Private to Bottleneck, whose last release is years old; where it is missing, leases end by expiration.
    const { _store: store } = this.#limiter as unknown as { _store?: { clientId?: unknown } };
    if (typeof store?.clientId !== 'string' || dueInMs.length === 0) return;
    const moments = dueInMs.map((ms) => Math.ceil(Date.now() + ms));
    await link.run(
      HAND_OVER,
      [`b_${id}_job_clients`, `b_${id}_job_expirations`],
      [store.clientId, ...moments],
    );
  }

  /** Leaves the pool as it is in Redis; to be called when no lease is out. */
  leave(): void {
    void this.#limiter.disconnect(false);
  }

  /** Ends all jobs, and with them Bottleneck's timers: Redis has forgotten them, or is not told any more. */
  abandon(): void {
    this.#ended.clear();
    for (const end of this.#running.values()) end();
  }

  #end(lease: Lease): void {
    if (this.#options.link.isConnected) this.#running.get(lease)?.();
    else this.#ended.add(lease);
  }

  /** The last who came knows the limit that is meant; and the keys live on. */
  async #renew(): Promise<void> {
    this.#renewedAt = this.#options.now();
    // A promise, whatever its typings say.
    const updated: unknown = this.#limiter.updateSettings({ maxConcurrent: this.#options.limit.requests });
    await updated;
  }
}
