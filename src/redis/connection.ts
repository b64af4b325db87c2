import type Bottleneck from 'bottleneck';

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

export type Library = typeof Bottleneck;
export type Limiter = Bottleneck;
export type LimiterOptions = Bottleneck.ConstructorOptions;

/** Fails where Bottleneck is not installed. */
export async function loadLibrary(): Promise<Library> {
  return (await import('bottleneck')).default;
}

/** What is used of the two connections of our own. */
export interface OwnClient {
  readonly status: string;
  readonly stream?: Partial<Unreferenced>;
  on(event: 'connecting' | 'connect' | 'ready' | 'close' | 'reconnecting', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  duplicate(override?: object): OwnClient;
  eval(script: string, keys: number, ...args: (string | number)[]): Promise<unknown>;
  ping(): Promise<unknown>;
  subscribe(...args: unknown[]): Promise<unknown>;
  unsubscribe(...args: unknown[]): Promise<unknown>;
  defineCommand(name: string, definition: object): void;
  sendCommand(command: SentCommand, ...rest: unknown[]): unknown;
}

/** Private to ioredis: without it a command that is not answered keeps the process alive for its time. */
interface SentCommand {
  readonly _commandTimeoutTimer?: Partial<Unreferenced>;
}

interface Unreferenced {
  unref(): unknown;
}

/** Two connections, and Bottleneck's view of them. */
export interface Connections {
  readonly client: OwnClient;
  readonly subscriber: OwnClient;
  readonly bottleneck: Bottleneck.IORedisConnection;
}

/** Answers take a millisecond; without one for this long Redis hangs. */
const COMMAND_TIMEOUT_MS = 2_000;
const LONGEST_RETRY_MS = 2_000;

const COMMON = {
  lazyConnect: false,
  // Bottleneck's scripts name channels without it; it goes into our own prefix instead.
  keyPrefix: '',
  connectTimeout: 5_000,
  // Time to close in good order. The timer runs, and keeps the process alive, even when there is nothing to close.
  disconnectTimeout: 100,
  autoPipelining: false,
  stringNumbers: false,
  retryStrategy: (times: number) => Math.min(50 * 2 ** times, LONGEST_RETRY_MS),
};

/**
 * For commands. Without Redis they fail at once and are never sent twice: Bottleneck counts what runs in a plain
 * number, and a job registered a second time, by a command whose first answer was lost, would be counted for ever.
 */
const FOR_COMMANDS = {
  ...COMMON,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_TIMEOUT_MS,
};

/** For messages. A subscription may wait for Redis to come back, and may be repeated. */
const FOR_MESSAGES = {
  ...COMMON,
  enableOfflineQueue: true,
  autoResendUnfulfilledCommands: true,
  autoResubscribe: true,
  maxRetriesPerRequest: null,
  commandTimeout: undefined,
};

const ignore = () => undefined;

type Callback = (error: Error | null, reply: unknown) => void;

/**
 * Bottleneck sets a pool up again when its scripts answer that it is gone, as when Redis was restarted. It knows them by
 * the whole text of their errors, before which Redis 7 puts `ERR`.
 */
function withPlainErrors(client: OwnClient): void {
  const define = client.defineCommand.bind(client);
  client.defineCommand = (name, definition) => {
    define(name, definition);
    const commands = client as unknown as Record<string, (...args: unknown[]) => unknown>;
    const run = commands[name]?.bind(client);
    if (run === undefined) return;
    commands[name] = (...args) => {
      const callback = args.pop() as Callback;
      return run(...args, (error: Error | null, reply: unknown) => {
        if (error !== null) error.message = error.message.replace(/^ERR /, '');
        callback(error, reply);
      });
    };
  };
}

/** Neither the connection, nor the wait for it, nor that for an answer keeps the process alive: calls in line do. */
function unreferenced(client: OwnClient): OwnClient {
  const unref = () => client.stream?.unref?.();
  // It has a stream in the next tick.
  client.on('connecting', () => setImmediate(unref));
  client.on('connect', unref);
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command, ...rest) => {
    const answer = send(command, ...rest);
    command._commandTimeoutTimer?.unref?.();
    return answer;
  };
  client.on('reconnecting', () => {
    // Private to ioredis; without it a process ends when Redis is back.
    (client as { reconnectTimeout?: Partial<Unreferenced> | null }).reconnectTimeout?.unref?.();
  });
  client.on('error', ignore);
  return client;
}

/** Opens two connections like the caller's and hands them to Bottleneck. */
export function connect(redis: RedisClient, library: Library): Connections {
  const client = unreferenced(redis.duplicate(FOR_COMMANDS) as OwnClient);
  withPlainErrors(client);
  const subscriber = unreferenced(client.duplicate(FOR_MESSAGES));
  // Both ioredis, when it subscribes again, and Bottleneck leave these promises to themselves; those unanswered reject
  // when the connection is closed, and nobody would catch that.
  const subscribe = subscriber.subscribe.bind(subscriber);
  subscriber.subscribe = (...args) => subscribe(...args).catch(ignore);
  // Nor is the answer waited for: Bottleneck would forget a channel when it comes, though by then somebody may have
  // subscribed to it again.
  const unsubscribe = subscriber.unsubscribe.bind(subscriber);
  subscriber.unsubscribe = (...args) => {
    unsubscribe(...args).catch(ignore);
    return Promise.resolve();
  };
  // Bottleneck makes its second connection by itself, and would make it like the first.
  client.duplicate = () => subscriber;
  // With `Redis` given it does not look for ioredis itself, which bundlers cannot follow.
  const bottleneck = new library.IORedisConnection({ client, Redis: client.constructor });
  bottleneck.on('error', ignore);
  return { client, subscriber, bottleneck };
}
