import type { PoolName, RateLimit } from '../core/throttle.ts';
import { LimitedPool } from '../throttle/limited-pool.ts';
import { AT_ONCE, demandFor } from './demand.ts';
import { MAX_TIMER_MS } from '../core/clock.ts';
import type { Lease } from './job.ts';
import { LeaseSource } from './lease-source.ts';
import { LeaseTime, LONGEST_HOLD_MS } from './lease-time.ts';
import type { LinkState, RedisLink } from './link.ts';
import { SharedGate } from './shared-gate.ts';

/** What a pool needs from its throttle. */
export interface SharedPoolHost {
  readonly link: RedisLink;
  readonly keyTtlMs: number;
  readonly now: () => number;
  /** How many share a limit when they cannot be counted. */
  readonly processes: () => number;
  /** There may be room in this pool. */
  readonly review: (pool: LimitedPool) => void;
  /** What this pool has in hand may change what others should ask for. */
  readonly pump: (pool: LimitedPool) => void;
}

/** A pool that nobody has used for so long is closed. */
const IDLE_MS = 60_000;
/** Two readings of one moment may differ by this much. */
const NO_NEWS_MS = 100;

/** One limit of one token or account, shared through Redis: its line and gate here, its leases there. */
export class SharedPool {
  readonly pool: LimitedPool;
  readonly gate: SharedGate;
  readonly #id: string;
  readonly #host: SharedPoolHost;
  #source: LeaseSource | undefined;
  #isOpening = false;
  #isClosing = false;
  readonly #leaseTime: LeaseTime;
  #usedAt: number;
  #alarm: NodeJS.Timeout | undefined;

  constructor(name: PoolName, limit: RateLimit, id: string, host: SharedPoolHost) {
    this.#id = id;
    this.#host = host;
    this.#usedAt = host.now();
    this.#leaseTime = new LeaseTime(limit.perMs);
    this.gate = new SharedGate(limit, {
      now: host.now,
      later: (ms, fire) => void setTimeout(fire, Math.min(Math.ceil(ms), MAX_TIMER_MS)).unref(),
      isGood: (lease) => this.#isGood(lease),
      mayKeep: (held) => held < this.#fairShare,
      onReturn: () => this.#changed(),
    });
    this.pool = new LimitedPool(name, limit, this.gate);
    const { state } = host.link;
    if (state !== 'connecting' && state !== 'up') this.#goAlone();
  }

  /** Whether it can be forgotten. */
  get isIdle(): boolean {
    return this.pool.isIdle(this.#host.now());
  }

  /** A call is about to ask for a permit; leases must outlive it. */
  expectCall(timeoutMs: number): void {
    this.#usedAt = this.#host.now();
    if (this.#leaseTime.serves(timeoutMs)) this.gate.giveBackStale();
  }

  /** Asks for as many leases as can be used now, and gives back those that cannot. */
  pump(): void {
    const { now, link } = this.#host;
    if (!link.isConnected || this.#isClosing) return;
    const { gate } = this;
    if (this.#source === undefined) {
      if (this.pool.waiting > 0 || gate.uncovered > 0) void this.#open();
      return;
    }
    const moment = now();
    gate.giveBackStale();
    const most = gate.mode === 'shared' ? Math.min(AT_ONCE, gate.recoveryLeft(moment)) : 0;
    const demand = demandFor(this.pool, most, moment);
    gate.giveBack(gate.inHand - demand);
    const wanted = gate.uncovered + demand - gate.inHand;
    for (let asked = this.#source.asked; asked < Math.min(wanted, AT_ONCE); asked += 1) {
      this.#source.ask(this.#leaseTime.ms);
    }
    this.#setAlarm(moment);
  }

  /** How Redis stands has changed. */
  linkChanged(state: LinkState): void {
    if (state === 'up') void this.#share();
    else if (state !== 'connecting') this.#goAlone();
    if (this.#host.link.isConnected) this.#catchUp();
    this.pump();
  }

  /** Redis has forgotten all leases. */
  dataLost(): void {
    this.gate.leasesLost();
    this.#source?.abandon();
  }

  /** Blocked by a refusal of this process: the others are told. */
  shareBlock(ms: number): void {
    void this.#sync(ms);
  }

  /** Looks after the pool about once a second. */
  tick(): void {
    const { now, link } = this.#host;
    const moment = now();
    if (this.pool.waiting > 0 || this.gate.out > 0) this.#usedAt = moment;
    else this.#leaseTime.reset();
    this.gate.giveBackStale(moment - LONGEST_HOLD_MS);
    this.#source?.unref();
    if (!link.isConnected || this.#source === undefined) return;
    if (moment - this.#usedAt > IDLE_MS && this.gate.inHand + this.#source.asked === 0) this.#close();
    else void this.#sync(0);
    this.pump();
  }

  /** The process ends: Redis learns when its permits are due, and nobody here uses one again. */
  async handOver(): Promise<void> {
    this.#isClosing = true;
    const told = this.#source?.handOver(this.gate.dueInMs(this.#host.now()));
    this.gate.giveBackStale();
    await told;
  }

  /** The connection is closed. */
  closed(): void {
    clearTimeout(this.#alarm);
    this.#source?.abandon();
    this.#source = undefined;
  }

  /**
   * What went out in the meantime took the place of what came back: those leases still run in Redis, and ending them
   * first would let others into places that are taken.
   */
  #catchUp(): void {
    this.gate.cover(() => this.#source?.spare((lease) => this.#isGood(lease)));
    this.#source?.catchUp();
  }

  /** Leases that serve here again and again, without a word to Redis; those beyond go round among all processes. */
  get #fairShare(): number {
    return Math.floor(this.pool.limit.requests / (this.#host.link.processes ?? Infinity));
  }

  #isGood({ expiresAt }: Lease): boolean {
    return !this.#isClosing && expiresAt >= this.#leaseTime.mustOutlive(this.#host.now());
  }

  async #open(): Promise<void> {
    const { link, keyTtlMs, now } = this.#host;
    if (this.#isOpening) return;
    this.#isOpening = true;
    try {
      this.#source = await LeaseSource.open({
        id: this.#id,
        limit: this.pool.limit,
        keyTtlMs,
        link,
        now,
        onLease: (lease) => {
          if (this.#isGood(lease)) this.gate.receive(lease);
          else lease.end();
          this.#changed();
        },
        onBlocked: (ms) => this.#blocked(ms),
      });
      this.gate.isOpen = true;
      if (link.state === 'closed') this.closed();
      else await this.#share();
    } catch (error) {
      link.suspect(error);
    }
    this.#isOpening = false;
    this.pump();
  }

  #close(): void {
    this.#source?.leave();
    this.#source = undefined;
    this.gate.isOpen = false;
    if (this.gate.mode === 'shared') this.gate.mode = 'opening';
  }

  /** Begins to share, once it is known whether the pool is blocked. */
  async #share(): Promise<void> {
    const { link, now } = this.#host;
    if (this.#source === undefined) {
      // Opened when it is needed. What Redis does not know of yet comes first: `pump` opens the pool for it.
      if (this.gate.mode === 'alone' && this.gate.uncovered === 0) this.gate.mode = 'opening';
      return;
    }
    await this.#sync(Math.max(0, this.gate.blockedUntil - now()));
    if (link.state !== 'up') return;
    this.gate.mode = 'shared';
    this.#changed();
  }

  /** How many permits are out, and until when the pool is blocked: for as long as we say, or longer. */
  async #sync(blockedMs: number): Promise<void> {
    if (this.#source === undefined) return;
    try {
      const state = await this.#source.syncPool(this.#leaseTime.ms, blockedMs);
      this.gate.countIs(state.count);
      if (state.blockedMs > 0) this.#blocked(state.blockedMs);
    } catch (error) {
      this.#host.link.suspect(error);
    }
  }

  #blocked(ms: number): void {
    const until = this.#host.now() + ms;
    // The way here takes a moment, each time another; that alone is no news.
    if (until < this.gate.blockedUntil + NO_NEWS_MS) return;
    this.gate.block(until);
    this.#changed();
  }

  #goAlone(): void {
    this.gate.goAlone(this.#host.now(), this.#host.processes());
    this.#host.review(this.pool);
  }

  #changed(): void {
    this.#host.review(this.pool);
    this.#host.pump(this.pool);
  }

  /** A refusal ends with time alone, and then leases are asked for again. */
  #setAlarm(now: number): void {
    clearTimeout(this.#alarm);
    const at = this.gate.recoversAt(now);
    if (this.pool.waiting === 0 || at <= now) return;
    this.#alarm = setTimeout(
      () => this.#host.pump(this.pool),
      Math.min(Math.ceil(at - now) + 1, MAX_TIMER_MS),
    );
  }
}
