import type { RateLimit } from '../core/throttle.ts';
import type { Limiter } from './connection.ts';
import { MAX_TIMER_MS } from '../core/clock.ts';
import { SLACK_MS } from './lease-time.ts';
import type { RedisLink } from './link.ts';
import { SYNC_POOL } from './scripts.ts';

/** A permit of a shared pool: a job that runs in Bottleneck's Redis datastore until it is ended. */
export interface Lease {
  /** When Redis would end it without us, on the clock of `now`. */
  readonly expiresAt: number;
  end(): void;
}

/** A lease with the job behind it. */
interface Job extends Lease {
  expiresAt: number;
  readonly isOver: Promise<void>;
  finish(): void;
}

/** A pool as Redis knows it. */
export interface PoolState {
  /** Leases out in all processes. */
  readonly count: number;
  /** For how long it stays blocked. */
  readonly blockedMs: number;
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
/** Bottleneck's keys of one limiter. The script reads those that come first. */
const POOL_KEYS = [
  'settings',
  'job_clients',
  'job_expirations',
  'job_weights',
  'client_running',
  'client_num_queued',
  'client_last_registered',
  'client_last_seen',
];

interface Privates {
  readonly clientId?: string;
  readonly heartbeat?: { unref?(): unknown };
}

/**
 * The leases of one pool: a limiter of Bottleneck's with as many concurrent jobs as the limit allows, in all processes
 * together. Its own queue holds only what was asked for and not granted yet.
 */
export class LeaseSource {
  /** Leases asked for that have not begun. */
  asked = 0;
  readonly #options: LeaseSourceOptions;
  readonly #limiter: Limiter;
  readonly #running = new Set<Job>();
  /** Leases that ended while Redis was away: their jobs go on until it can be told. */
  #ended = new Set<Job>();

  private constructor(options: LeaseSourceOptions, limiter: Limiter) {
    this.#options = options;
    this.#limiter = limiter;
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
    // The last who came knows the limit that is meant. A promise, whatever its typings say.
    const updated: unknown = limiter.updateSettings({ maxConcurrent: limit.requests });
    await updated;
    // Redis has been told when the job expires. A timer here as well would end it although it was extended meanwhile,
    // and keep the process alive.
    limiter.on('scheduled', ({ options: job }) => {
      Object.assign(job, { expiration: null });
    });
    limiter.on('message', (message: string) => {
      const ms = Number(message.slice(BLOCKED.length));
      if (message.startsWith(BLOCKED) && ms > 0) options.onBlocked(ms);
    });
    return new LeaseSource(options, limiter);
  }

  /** Asks for a lease that Redis ends after `leaseMs` if nobody does before, or extends it. */
  ask(leaseMs: number): void {
    const expiration = Math.min(Math.ceil(leaseMs), MAX_TIMER_MS);
    let job: Job | undefined;
    this.asked += 1;
    this.#limiter
      .schedule({ expiration }, () => (job ??= this.#begin(expiration)).isOver)
      .catch((error: unknown) => {
        if (job !== undefined) return;
        this.asked -= 1;
        this.#options.link.suspect(error);
      })
      .finally(() => {
        if (job === undefined) return;
        this.#running.delete(job);
        this.#ended.delete(job);
      });
  }

  /** A lease that ended while Redis was away: there it still runs, and can serve another request until `outliving`. */
  spare(outliving: number): Lease | undefined {
    for (const job of this.#ended) {
      if (job.expiresAt < outliving) continue;
      this.#ended.delete(job);
      return job;
    }
    return undefined;
  }

  /** Tells Redis of the leases that ended while it was away. */
  catchUp(): void {
    const ended = this.#ended;
    this.#ended = new Set();
    for (const job of ended) this.#end(job);
  }

  /**
   * Extends the leases of this process to `leaseMs` from now, and has the pool blocked for `blockedMs` at least in all
   * processes. Resolves with how things stand.
   */
  async syncPool(leaseMs: number, blockedMs: number): Promise<PoolState> {
    const begun = this.#options.now();
    const state = await this.#tell(blockedMs, Date.now() + leaseMs);
    for (const job of this.#running) {
      // One that was about to expire may have expired before we said so.
      if (this.#canExtend && job.expiresAt > begun + SLACK_MS) job.expiresAt = begun + leaseMs;
    }
    if (blockedMs > 0) await this.#limiter.publish(`${BLOCKED}${state.blockedMs}`);
    return state;
  }

  /** Bottleneck keeps the process alive for whatever is asked for; that is for calls in line to do. */
  unref(): void {
    this.#privates?.heartbeat?.unref?.();
  }

  /** The process ends: leases over but for their window end in so many ms, not when they would expire. */
  async handOver(dueInMs: readonly number[]): Promise<void> {
    const moments = dueInMs.map((ms) => Date.now() + ms);
    await this.#tell(0, undefined, moments);
  }

  /** Leaves the pool as it is in Redis; to be called when no lease is out. */
  leave(): void {
    void this.#limiter.disconnect(false);
  }

  /** Ends all jobs, and with them Bottleneck's timers: Redis has forgotten them, or is not told any more. */
  abandon(): void {
    this.#ended.clear();
    for (const job of this.#running) job.finish();
  }

  #begin(expiration: number): Job {
    const { now, onLease } = this.#options;
    let finish!: () => void;
    const isOver = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const job: Job = { expiresAt: now() + expiration, isOver, finish, end: () => this.#end(job) };
    this.asked -= 1;
    this.#running.add(job);
    onLease(job);
    return job;
  }

  #end(job: Job): void {
    if (this.#options.link.isConnected) job.finish();
    else this.#ended.add(job);
  }

  async #tell(blockedMs: number, expiresAt?: number, moments: readonly number[] = []): Promise<PoolState> {
    const { id, link, keyTtlMs } = this.#options;
    const { clientId = '' } = this.#privates ?? {};
    const answer = await link.run(
      SYNC_POOL,
      [`${id}:blocked`, ...POOL_KEYS.map((name) => `b_${id}_${name}`)],
      [clientId, keyTtlMs, ...[blockedMs, expiresAt ?? 0, ...moments].map(Math.ceil)],
    );
    const [count, leftMs] = answer as [string | null, number];
    return { count: Number(count), blockedMs: leftMs };
  }

  get #canExtend(): boolean {
    return this.#privates?.clientId !== undefined;
  }

  /** Private to Bottleneck, whose last release is years old; without them, leases just end by expiration. */
  get #privates(): Privates | undefined {
    return (this.#limiter as unknown as { _store?: Privates })._store;
  }
}
