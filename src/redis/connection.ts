import type { Redis } from 'ioredis';
import { SCRIPTS, type Scripts } from './scripts.ts';

/**
 * What is needed of an ioredis client. It is only duplicated: its own connection is neither used nor changed, and
 * stays the caller's to close.
 */
export interface RedisClient {
  /** Makes a client with the same options, some of them replaced. */
  duplicate(override?: object): unknown;
  /** Its options. */
  readonly options?: {
    /** Goes before the throttle's keys as well. */
    readonly keyPrefix?: string | undefined;
  };
  /** True for a client of Redis Cluster. */
  readonly isCluster?: boolean;
}

type OwnClient = Omit<Redis, 'stream'> & Scripts & { readonly stream?: { unref?(): unknown } };

/** A connection lives until the first surprise; then there is a new one. So nothing is ever sent twice by itself. */
const OPTIONS = {
  scripts: SCRIPTS,
  lazyConnect: true,
  keyPrefix: '', // it is part of our own prefix
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  retryStrategy: () => null,
  autoPipelining: false,
  stringNumbers: false,
  commandTimeout: undefined, // its timer would keep the process alive; silence is noticed by `tick`
  disconnectTimeout: 100, // so does this one, even when there is nothing to close
};

const REUNION_MS = 3_000; // when Redis is back, by then so is every process, and has told it of all permits
const SILENT_TICKS = 2; // after so many ticks without an answer Redis counts as lost

/**
 * `connecting`: not reached yet, nor given up. `up`: the limits are shared. `lost`: the connection has just broken, and
 * is made again; until it is known how that ends, nothing is sent. `alone`: Redis cannot be reached, and each process
 * keeps to its share. `joining`: Redis can be asked again, but until every process is back, this one keeps to its share.
 */
export type ConnectionState = 'connecting' | 'up' | 'lost' | 'alone' | 'joining';

/** Who is told. */
export interface ConnectionListener {
  /** There is a new connection, and Redis is to be told of every permit before anything is asked. */
  connected(): void;
  /** The state has changed; `cause` tells why Redis cannot be asked. */
  changed(state: ConnectionState, cause: Error | undefined): void;
}

const isRefusal = (cause: unknown) => cause instanceof Error && cause.name === 'ReplyError';

/** The connection to Redis. */
export class RedisConnection {
  state: ConnectionState = 'connecting';
  /** Processes seen last; undefined before Redis was ever reached. */
  processes: number | undefined;
  /** Whether Redis can be asked. */
  isReady = false;
  readonly #redis: RedisClient;
  readonly #key: string;
  readonly #listener: ConnectionListener;
  #client: OwnClient | undefined;
  /** This process, on this connection: what an old connection still sends, after a new one was made, is refused. */
  #process = '';
  /** What Redis knew it as last. */
  #registered = '-';
  #ids = 0;
  #silentTicks = 0;
  #isClosed = false;

  constructor(redis: RedisClient, prefix: string, listener: ConnectionListener) {
    this.#redis = redis;
    this.#key = `${prefix}:processes`;
    this.#listener = listener;
    // Not at once: the listener is still being made.
    queueMicrotask(() => void this.#open());
  }

  /** An id that no other permit has. */
  newId(): string {
    this.#ids += 1;
    return `${this.#process}:${this.#ids}`;
  }

  /** To be called once a second. */
  tick(): void {
    if (this.#isClosed) return;
    this.#silentTicks += 1;
    if (this.#client === undefined) void this.#open();
    else if (this.#silentTicks > SILENT_TICKS)
      this.#lose(new Error('Redis is silent.'), this.#client, 'alone');
  }

  /** Runs `acquire` for these pools. Undefined if there was no answer: then the connection is lost. */
  async acquire(
    keys: readonly string[],
    { wanted, queued, id }: { readonly wanted: number; readonly queued: number; readonly id: string },
    pools: readonly number[],
    before = '',
  ): Promise<Awaited<ReturnType<Scripts['acquire']>> | undefined> {
    const client = this.#client;
    try {
      if (client === undefined) return undefined;
      const args = [this.#process, before, wanted, queued, id, ...pools.map(Math.ceil)];
      const answer = await client.acquire(1 + keys.length, this.#key, ...keys, ...args);
      if (client !== this.#client) return undefined;
      if (answer[0] < 0) throw new Error('Redis has lost its data.');
      this.#silentTicks = 0;
      // While processes come back one by one, it is those seen before that count.
      if (this.state === 'up' || this.processes === undefined) this.processes = answer[2];
      return answer;
    } catch (error) {
      this.#lose(error, client);
      return undefined;
    }
  }

  settle(poolKey: string, id: string, ms: number): void {
    this.#send((client) => client.settle(`${poolKey}:permits`, id, Math.ceil(ms)));
  }

  /** No process gets a permit of this pool for so long. */
  block(poolKey: string, ms: number): void {
    this.#send((client) => client.block(`${poolKey}:blocked`, Math.ceil(ms)));
  }

  /** Unregisters this process; everything sent before has arrived then. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.isReady) await this.#client?.zrem(this.#key, this.#process).catch(() => 0);
    this.#lose(new Error('The throttle was closed.'));
    this.#become('alone');
  }

  async #open(): Promise<void> {
    if (this.#isClosed) return;
    this.#process = crypto.randomUUID();
    this.#silentTicks = 0;
    let client: OwnClient | undefined;
    try {
      client = this.#client = this.#duplicate();
      await client.connect();
    } catch (error) {
      this.#lose(error, client);
    }
    const answer = await this.acquire([], { wanted: 0, queued: 0, id: '' }, [], this.#registered);
    if (client === undefined || client !== this.#client || answer === undefined) return;
    this.#registered = this.#process;
    this.isReady = true;
    this.#listener.connected();
    const isComplete = this.state === 'connecting' || (this.state === 'lost' && answer[3] === 1);
    this.#become(isComplete ? 'up' : 'joining');
    if (!isComplete) setTimeout(() => client === this.#client && this.#become('up'), REUNION_MS).unref();
  }

  #duplicate(): OwnClient {
    const client = this.#redis.duplicate(OPTIONS) as OwnClient;
    // Neither the connection nor the wait for it keeps the process alive. It has a stream in the next tick.
    client.on('connecting', () => setImmediate(() => client.stream?.unref?.()));
    client.on('error', (error) => this.#lose(error, client));
    client.on('close', () => this.#lose(new Error('The connection to Redis was closed.'), client));
    return client;
  }

  #send(command: (client: OwnClient) => Promise<unknown>): void {
    const client = this.#client;
    if (client === undefined || !this.isReady) return;
    command(client).catch((error: unknown) => this.#lose(error, client));
  }

  /** This connection is given up. One that broke is made again at once, but not to a silent or refusing Redis. */
  #lose(cause: unknown, client = this.#client, next = isRefusal(cause) ? 'alone' : 'lost'): void {
    if (client !== this.#client) return;
    const wasReady = this.isReady;
    this.isReady = false;
    this.#client = undefined;
    client?.disconnect();
    if (this.#isClosed) return;
    const reason = cause instanceof Error ? cause : new Error(String(cause));
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
