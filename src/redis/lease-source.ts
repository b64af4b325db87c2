import type { RateLimit } from '../core/throttle.ts';
import type { Limiter } from './connection.ts';
import { MAX_TIMER_MS } from '../core/clock.ts';
import { Job, type Lease } from './job.ts';
import { LimiterInternals } from './limiter-internals.ts';
import type { RedisLink } from './link.ts';
import { HAND_OVER, SYNC_POOL } from './scripts.ts';

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
  'client_num_queued',
  'job_weights',
  'client_running',
  'client_last_registered',
  'client_last_seen',
];

/**
 * The leases of one pool: a limiter of Bottleneck's with as many concurrent jobs as the limit allows, in all processes
 * together. Its own queue holds only what was asked for and not granted yet.
 */
export class LeaseSource {
  /** Leases asked for that have not begun. */
  asked = 0;
  readonly #options: LeaseSourceOptions;
  readonly #limiter: Limiter;
  readonly #internals: LimiterInternals;
  /** Jobs that run in Redis for us, and that nobody has ended. */
  readonly #held = new Set<Job>();
  /** Those of them that ended while Redis was away: they go on until it can be told. */
  readonly #ended = new Set<Job>();

  private constructor(options: LeaseSourceOptions, limiter: Limiter) {
    this.#options = options;
    this.#limiter = limiter;
    this.#internals = new LimiterInternals(limiter, options.now);
    limiter.on('scheduled', ({ args, options: job }) => {
      this.#hold(args[0] as Job, job.expiration ?? 0);
      // Redis has been told when the job expires. A timer here as well would end it although it was extended meanwhile,
      // and keep the process alive.
      Object.assign(job, { expiration: null });
    });
    limiter.on('message', (message: string) => {
      const ms = Number(message.slice(BLOCKED.length));
      if (message.startsWith(BLOCKED) && ms > 0) options.onBlocked(ms);
    });
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
    try {
      await limiter.ready();
      // The last who came knows the limit that is meant. A promise, whatever its typings say.
      const updated: unknown = limiter.updateSettings({ maxConcurrent: limit.requests });
      await updated;
    } catch (error) {
      // It would go on by itself, with its heartbeat and its channels.
      void limiter.disconnect(false);
      throw error;
    }
    return new LeaseSource(options, limiter);
  }

  /** Asks for a lease that Redis ends after `leaseMs` if nobody does before, or extends it. */
  ask(leaseMs: number): void {
    const expiration = Math.min(Math.ceil(leaseMs), MAX_TIMER_MS);
    const asked = new Job((job) => this.#end(job));
    this.asked += 1;
    this.#limiter
      .schedule({ expiration }, (job: Job) => this.#begin(job), asked)
      .catch((error: unknown) => {
        if (asked.hasBegun) return;
        this.asked -= 1;
        this.#options.link.suspect(error);
      });
  }

  /** A lease that ended while Redis was away: there it still runs, and can serve another request if it is good. */
  spare(isGood: (lease: Lease) => boolean): Lease | undefined {
    for (const job of this.#ended) {
      if (!isGood(job)) continue;
      this.#ended.delete(job);
      return job;
    }
    return undefined;
  }

  /** Tells Redis of the leases that ended while it was away. */
  catchUp(): void {
    for (const job of this.#ended) this.#finish(job);
  }

  /**
   * Extends the leases of this process to `leaseMs` from now, and has the pool blocked for `blockedMs` at least in all
   * processes. Resolves with how things stand.
   */
  async syncPool(leaseMs: number, blockedMs: number): Promise<PoolState> {
    const { id, link, keyTtlMs, now } = this.#options;
    const { clientId, registration } = this.#internals;
    const expiresAt = now() + leaseMs;
    const held = clientId === undefined ? [] : [...this.#held];
    const answer = await link.run(
      SYNC_POOL,
      [`${id}:blocked`, ...POOL_KEYS.map((name) => `b_${id}_${name}`)],
      [
        clientId ?? '',
        keyTtlMs,
        Math.ceil(blockedMs),
        Math.ceil(Date.now() + leaseMs),
        this.asked,
        registration?.name ?? '',
        ...held.map(({ name }) => name),
      ],
    );
    const [count, leftMs, gone] = answer as [number, number, number[]];
    for (const job of held) job.expiresAt = expiresAt;
    for (const place of gone) Object.assign(held[place - 1] ?? {}, { expiresAt: -Infinity });
    if (blockedMs > 0) await this.#limiter.publish(`${BLOCKED}${leftMs}`);
    return { count, blockedMs: leftMs };
  }

  /** Bottleneck keeps the process alive for whatever is asked for; that is for calls in line to do. */
  unref(): void {
    this.#internals.unref();
  }

  /** The process ends: leases over but for their window end in so many ms, not when they would expire. */
  async handOver(dueInMs: ReadonlyMap<Lease, number>): Promise<void> {
    const { id, link } = this.#options;
    const moments = [...this.#held].flatMap((job) => {
      const ms = dueInMs.get(job);
      return ms === undefined ? [] : [job.name, Math.ceil(Date.now() + ms)];
    });
    await link.run(HAND_OVER, [`b_${id}_job_expirations`], moments);
  }

  /** Leaves the pool as it is in Redis; to be called when no lease is out. */
  leave(): void {
    void this.#limiter.disconnect(false);
  }

  /** Ends all jobs, and with them Bottleneck's timers: Redis has forgotten them, or is not told any more. */
  abandon(): void {
    for (const job of this.#held) this.#finish(job);
  }

  /** Redis runs it. */
  #hold(job: Job, expiration: number): void {
    const { name, at } = this.#internals.takeRegistration() ?? { name: '', at: this.#options.now() };
    job.name = name;
    job.expiresAt = at + expiration;
    this.#held.add(job);
  }

  #begin(job: Job): Promise<void> {
    if (!job.hasBegun) {
      job.hasBegun = true;
      this.asked -= 1;
      // Else it was abandoned in between.
      if (this.#held.has(job)) this.#options.onLease(job);
    }
    return job.isOver;
  }

  #end(job: Job): void {
    if (this.#options.link.isConnected) this.#finish(job);
    else if (this.#held.has(job)) this.#ended.add(job);
  }

  #finish(job: Job): void {
    this.#held.delete(job);
    this.#ended.delete(job);
    job.finish();
  }
}
