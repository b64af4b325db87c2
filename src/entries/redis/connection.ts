import type { Redis } from 'ioredis';
import { SCRIPTS, type Scripts } from './scripts.ts';
import type { PermitStore } from './shared-pool.ts';

/**
 * The part of an ioredis client that the throttle uses. It only duplicates the client: the client's own connection
 * stays unused and unchanged, and the caller closes it.
 */
export interface RedisClient {
  /** Makes a client with the same options, some of them replaced. */
  duplicate(override?: object): unknown;
  /** Its options. */
  readonly options?: {
    /** A prefix that the throttle's keys get too. */
    readonly keyPrefix?: string | undefined;
  };
  /** True for a client of Redis Cluster. */
  readonly isCluster?: boolean;
}

type OwnClient = Omit<Redis, 'stream'> & Scripts & { readonly stream?: { unref?(): unknown } };

/**
 * Options of the duplicated client. A connection is replaced after its first failure, so that ioredis never sends a
 * command twice.
 */
const OPTIONS = {
  scripts: SCRIPTS,
  lazyConnect: true,
  keyPrefix: '', // the throttle's own prefix already contains it
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  retryStrategy: () => null,
  autoPipelining: false,
  stringNumbers: false,
  commandTimeout: undefined, // its timer would keep the process alive; `tick` notices when replies stop
  disconnectTimeout: 100, // the default would keep the process alive for longer, even when there is nothing to close
};

const REUNION_MS = 3_000; // within it after Redis is back, every process has reconnected and registered its permits
const SILENT_TICKS = 2; // after this many ticks without a reply, Redis counts as lost

/**
 * The state of the connection:
 *
 * - `connecting`: connects for the first time.
 * - `up`: the processes share the limits.
 * - `lost`: the connection has just broken. Nothing is sent until a reconnect succeeds or fails.
 * - `alone`: Redis is unreachable, and each process keeps to its share.
 * - `joining`: Redis is reachable again, but this process keeps to its share until all processes have reconnected.
 */
export type ConnectionState = 'connecting' | 'up' | 'lost' | 'alone' | 'joining';

/** The time at which a command was sent, and the time of its reply. */
interface Command {
  readonly sentAt: number;
  answeredAt: number | undefined;
}

/** The first arguments of every script: see `scripts.ts`. */
type Caller = readonly [process: string, sinceSentMs: number, sinceReplyMs: number];

/** Notified by a connection. */
export interface ConnectionListener {
  /** A new connection is ready: the listener must register every permit before it requests new ones. */
  connected(): void;
  /** The state has changed. `cause` is the reason if Redis is unreachable. */
  changed(state: ConnectionState, cause: Error | undefined): void;
}

const isRefusal = (cause: unknown) => cause instanceof Error && cause.name === 'ReplyError';

/** The connection to Redis. */
export class RedisConnection implements PermitStore {
  state: ConnectionState = 'connecting';
  /** The number of processes when Redis was last reached; undefined if it never was. */
  processes: number | undefined;
  /** The time of Redis's last report about a pool; -Infinity before the first. */
  heardAt = -Infinity;
  isClosed = false;
  readonly #redis: RedisClient;
  /** The first keys of every script: the processes, and the shared time. */
  readonly #keys: readonly [processes: string, clock: string];
  readonly #listener: ConnectionListener;
  readonly #now: () => number;
  #client: OwnClient | undefined;
  /**
   * The id of this process on this connection. Each connection has a new id, so that Redis refuses late commands of
   * an old one.
   */
  #process = '';
  /** The id that Redis has registered for the last connection. */
  #registered = '-';
  #ids = 0;
  #last: Command = { sentAt: 0, answeredAt: undefined };
  #silentTicks = 0;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(redis: RedisClient, prefix: string, listener: ConnectionListener, now: () => number) {
    this.#redis = redis;
    this.#now = now;
    this.#keys = [`${prefix}:processes`, `${prefix}:clock`];
    this.#listener = listener;
    // Later, because the listener is still being constructed.
    queueMicrotask(() => void this.#open());
  }

  /** Whether commands can be sent. */
  get isReady(): boolean {
    return this.#client !== undefined && this.#registered === this.#process;
  }

  newId(): string {
    this.#ids += 1;
    return `${this.#process}:${this.#ids}`;
  }

  /** To be called once a second. */
  tick(): void {
    this.#silentTicks += 1;
    if (this.#client === undefined) void this.#open();
    else if (this.#silentTicks > SILENT_TICKS)
      this.#lose(new Error('Redis does not respond.'), this.#client, 'alone');
  }

  /** Runs `acquire` for these pools. Undefined if no reply came: the connection is lost then. */
  async acquire(
    keys: readonly string[],
    { wanted, queued, id }: { readonly wanted: number; readonly queued: number; readonly id: string },
    pools: readonly number[],
    before = '',
  ): Promise<Awaited<ReturnType<Scripts['acquire']>> | undefined> {
    const client = this.#client;
    try {
      if (client === undefined) return undefined;
      const command = this.#next();
      const args = [...command.caller, before, wanted, queued, id, ...pools.map(Math.ceil)];
      const reply = await client.acquire(2 + keys.length, ...this.#keys, ...keys, ...args);
      command.answered();
      if (client !== this.#client) return undefined;
      if (reply[0] < 0) throw new Error('Redis has lost its data.');
      this.#silentTicks = 0;
      if (keys.length > 0) this.heardAt = this.#now();
      // Keeps the earlier number while processes reconnect one by one.
      if (this.state === 'up' || this.processes === undefined) this.processes = reply[2];
      return reply;
    } catch (error) {
      this.#lose(error, client);
      return undefined;
    }
  }

  returnIn(poolKey: string, id: string, ms: number): void {
    this.#send((client, caller) =>
      client.returnIn(...this.#keys, `${poolKey}:permits`, ...caller, id, Math.ceil(ms)),
    );
  }

  block(poolKey: string, ms: number): void {
    this.#send((client, caller) =>
      client.block(...this.#keys, `${poolKey}:blocked`, ...caller, Math.ceil(ms)),
    );
  }

  /** Unregisters this process, after all commands sent before. */
  async close(): Promise<void> {
    this.isClosed = true;
    if (this.isReady) await this.#client?.zrem(this.#keys[0], this.#process).catch(() => 0);
    this.#lose(new Error('The throttle was closed.'));
    this.#become('alone');
  }

  /** Starts a command: the first arguments of its script, and a function to call at its reply. */
  #next(): { readonly caller: Caller; readonly answered: () => void } {
    const now = Math.floor(this.#now());
    const { sentAt, answeredAt = now } = this.#last;
    const command: Command = { sentAt: now, answeredAt: undefined };
    this.#last = command;
    return {
      caller: [this.#process, now - sentAt, Math.max(now - answeredAt, 0)],
      answered: () => (command.answeredAt = Math.ceil(this.#now())),
    };
  }

  async #open(): Promise<void> {
    if (this.isClosed) return;
    this.#process = crypto.randomUUID();
    this.#silentTicks = 0;
    let client: OwnClient | undefined;
    try {
      client = this.#client = this.#duplicate();
      await client.connect();
    } catch (error) {
      this.#lose(error, client);
    }
    const reply = await this.acquire([], { wanted: 0, queued: 0, id: '' }, [], this.#registered);
    if (client === undefined || client !== this.#client || reply === undefined) return;
    this.#registered = this.#process;
    this.#listener.connected();
    const isComplete = this.state === 'connecting' || (this.state === 'lost' && reply[3] === 1);
    this.#become(isComplete ? 'up' : 'joining');
    if (!isComplete) setTimeout(() => client === this.#client && this.#become('up'), REUNION_MS).unref();
  }

  #duplicate(): OwnClient {
    const client = this.#redis.duplicate(OPTIONS) as OwnClient;
    // Neither the connection nor connecting keeps the process alive. The stream exists from the next tick.
    client.on('connecting', () => setImmediate(() => client.stream?.unref?.()));
    client.on('error', (error) => this.#lose(error, client));
    client.on('close', () => this.#lose(new Error('The connection to Redis was closed.'), client));
    return client;
  }

  #send(run: (client: OwnClient, caller: Caller) => Promise<unknown>): void {
    const client = this.#client;
    if (client === undefined || !this.isReady) return;
    const { caller, answered } = this.#next();
    run(client, caller).then(answered, (error: unknown) => this.#lose(error, client));
  }

  /**
   * Gives up this connection. Reconnects at once after a break, but not if Redis is silent or refuses the connection.
   */
  #lose(cause: unknown, client = this.#client, next = isRefusal(cause) ? 'alone' : 'lost'): void {
    if (client !== this.#client) return;
    const wasReady = this.isReady;
    this.#client = undefined;
    client?.disconnect();
    if (this.isClosed) return;
    // Copies only the message: ioredis attaches the password to the error of a refused AUTH.
    const reason = new Error(cause instanceof Error ? cause.message : String(cause));
    const isBroken = wasReady && next === 'lost';
    this.#become(isBroken && this.state === 'up' ? 'lost' : 'alone', reason);
    if (isBroken) void this.#open();
  }

  #become(state: ConnectionState, cause?: Error): void {
    if (state === this.state) return;
    this.state = state;
    this.#listener.changed(state, cause);
  }
}
