import { ConfigurationError } from '../core/errors.ts';
import {
  connect,
  loadLibrary,
  type Connections,
  type Library,
  type Limiter,
  type LimiterOptions,
  type RedisClient,
} from './connection.ts';
import { UNREGISTER, REGISTER } from './scripts.ts';

/**
 * How Redis stands: not known yet; reached, but still without all permits (`settling`); up; lost; or given up by
 * `close`. Only `up` are the limits shared.
 */
export type LinkState = 'connecting' | 'settling' | 'up' | 'down' | 'closed';

/** Who is told how Redis stands. */
export interface LinkListener {
  /** The state has changed, or Redis was lost and found again in between. `cause` tells why it went down. */
  linkChanged(state: LinkState, cause: Error | undefined): void;
  /** Redis has come back without what it held. */
  dataLost(): void;
}

export interface LinkOptions {
  readonly redis: RedisClient;
  /** What every key begins with. */
  readonly prefix: string;
  /** How long permits that Redis does not know may take to become known. */
  readonly settleMs: number;
  /** How long keys live that nobody renews. */
  readonly keyTtlMs: number;
  readonly listener: LinkListener;
}

/** Redis counts as absent when it has not answered within this time. */
const COMMAND_TIMEOUT_MS = 2_000;
/** A process silent for this long is gone. */
const SILENT_MS = 15_000;

/** The connection to Redis: whether it works, and who else is there. */
export class RedisLink {
  /** Why nothing can ever be shared, as an error for one call: Bottleneck is not installed. */
  broken: (() => ConfigurationError) | undefined;
  /** Processes seen last; undefined before Redis was ever reached. */
  processes: number | undefined;
  readonly #options: LinkOptions;
  readonly #id = crypto.randomUUID();
  #state: LinkState = 'connecting';
  #library: Library | undefined;
  #connections: Connections | undefined;
  #epoch = '';
  #wentWithout = false;
  #isAsking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    void this.#start();
  }

  get state(): LinkState {
    return this.#state;
  }

  /** Whether commands can be sent. */
  get isConnected(): boolean {
    return this.#state === 'up' || this.#state === 'settling';
  }

  /** A limiter of Bottleneck's over this connection. */
  limiter(options: LimiterOptions): Limiter | undefined {
    const bottleneck = this.#connections?.bottleneck;
    if (this.#library === undefined || bottleneck === undefined || !this.isConnected) return undefined;
    return new this.#library({ ...options, connection: bottleneck });
  }

  /** Runs a script; rejects at once when Redis cannot be reached. */
  async run(script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (this.#connections === undefined) throw new Error('Redis has not been reached yet.');
    return this.#connections.client.eval(script, keys.length, ...keys, ...args);
  }

  /** A command failed: Redis counts as lost until it answers again. */
  suspect(cause: unknown): void {
    if (this.#state !== 'closed')
      this.#become('down', cause instanceof Error ? cause : new Error(String(cause)));
  }

  /** Asks Redis how things stand; does nothing while that cannot be asked, or is being asked. */
  check(): void {
    const { client, subscriber } = this.#connections ?? {};
    if (this.#state === 'closed' || this.#isAsking) return;
    if (client?.status !== 'ready' || subscriber?.status !== 'ready') return;
    this.#isAsking = true;
    // A connection that only seems to be there would let us wait for its messages in vain.
    within(COMMAND_TIMEOUT_MS, subscriber.ping())
      .then(() => this.#ask())
      .catch((error: unknown) => this.suspect(error))
      .finally(() => {
        this.#isAsking = false;
      });
  }

  /** Takes leave and disconnects. What was not answered by then fails. */
  async close(): Promise<void> {
    const wasConnected = this.isConnected;
    this.#become('closed', undefined);
    clearTimeout(this.#timer);
    if (wasConnected) await this.run(UNREGISTER, [this.#key('processes')], [this.#id]).catch(() => undefined);
    // Both connections, and the timers of Bottleneck's limiters.
    await this.#connections?.bottleneck.disconnect(false);
  }

  async #start(): Promise<void> {
    try {
      this.#library = await loadLibrary();
    } catch (cause) {
      const problem =
        'redisThrottle needs bottleneck, which cannot be loaded: npm install bottleneck ioredis';
      this.#break(problem, cause);
      return;
    }
    if (this.state === 'closed') return;
    try {
      this.#connections = connect(this.#options.redis, this.#library);
    } catch (cause) {
      this.#break('redis cannot be duplicated', cause);
      return;
    }
    for (const client of [this.#connections.client, this.#connections.subscriber]) {
      client.on('ready', () => this.check());
      client.on('error', (error) => this.suspect(error));
      client.on('close', () => this.suspect(new Error('The connection to Redis was closed.')));
    }
    this.#later(COMMAND_TIMEOUT_MS, () => {
      if (this.#state === 'connecting') this.suspect(new Error('Redis does not answer.'));
    });
  }

  #break(message: string, cause: unknown): void {
    this.broken = () => new ConfigurationError(message, { option: 'redis', cause });
    this.suspect(cause);
  }

  async #ask(): Promise<void> {
    const { settleMs, keyTtlMs } = this.#options;
    const answer = (await this.run(
      REGISTER,
      [this.#key('epoch'), this.#key('processes'), this.#key('settling')],
      [this.#id, crypto.randomUUID(), this.#epoch, this.#wentWithout ? 1 : 0, settleMs, keyTtlMs, SILENT_MS],
    )) as [string, number, number];
    if (this.state === 'closed') return;
    const [epoch, processes, settlingMs] = answer;
    const isLost = this.#epoch !== '' && this.#epoch !== epoch;
    this.#epoch = epoch;
    this.#wentWithout = false;
    // Redis without its data has to be told of everybody again first.
    if (settlingMs <= 0) this.processes = processes;
    if (isLost) this.#options.listener.dataLost();
    this.#become(settlingMs > 0 ? 'settling' : 'up', undefined);
    if (settlingMs > 0) this.#later(settlingMs + 1, () => this.check());
  }

  #become(state: LinkState, cause: Error | undefined): void {
    if (state === this.#state || this.#state === 'closed') return;
    this.#state = state;
    if (state === 'down') this.#wentWithout = true;
    this.#options.listener.linkChanged(state, cause);
  }

  #later(ms: number, fire: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(fire, ms).unref();
  }

  #key(name: string): string {
    return `${this.#options.prefix}:${name}`;
  }
}

/** The result, or a rejection after so many milliseconds. */
async function within(ms: number, result: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis does not answer.')), ms).unref();
  });
  try {
    await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
