import type { ThrottleLimits } from '../core/limits.ts';
import { functionRule, invalid, mustBe, objectOf, positiveRule, refuse } from '../core/rules.ts';
import { limitsRule } from '../throttle/limits.ts';
import type { RedisClient } from './connection.ts';

/** The state of the throttle. */
export interface RedisThrottleStatus {
  /** Whether it keeps to this process's own share of the limits, because Redis cannot be reached. */
  readonly degraded: boolean;
  /** Why it is degraded; absent when it is not. */
  readonly cause?: Error;
}

/** How limits are shared through Redis. */
export interface RedisThrottleOptions {
  /**
   * An ioredis client. The throttle duplicates it, for a connection of its own; using and closing the client itself is
   * left to you.
   */
  readonly redis: RedisClient;
  /**
   * The prefix of every key in Redis. Only throttles with the same prefix share limits.
   * @defaultValue 'email-platform'
   */
  readonly prefix?: string | undefined;
  /** Limits to use instead of the published ones; `false` switches a pool off. The same in every process. */
  readonly limits?: ThrottleLimits | undefined;
  /**
   * How many processes share the limits; only used while Redis cannot be reached, when each keeps to an equal share.
   * By default, as many as there were when Redis was last reached; 10 if it never was.
   */
  readonly processes?: number | undefined;
  /**
   * A name for the token of clients whose token is a function, because its result is not known while a call waits.
   * Required for those clients; all of them on this throttle count as one token.
   */
  readonly tokenName?: string | undefined;
  /** Called when the throttle starts to work without Redis, and when it shares again. */
  readonly onStatus?: ((status: RedisThrottleStatus) => void) | undefined;
}

const optionsRule = objectOf<RedisThrottleOptions>(
  {
    redis: mustBe('an ioredis client: new Redis(url)', isClient),
    prefix: mustBe(
      '1 to 100 letters, digits and :._-{}',
      (prefix) => typeof prefix === 'string' && /^[\w:.{}-]{1,100}$/.test(prefix),
    ),
    limits: limitsRule,
    processes: positiveRule,
    tokenName: mustBe('a text that is not empty', (name) => typeof name === 'string' && name !== ''),
    onStatus: functionRule,
  },
  ['redis'],
);

/** Checks the options; throws if one is unknown or wrong. */
export function checkRedisOptions(options: RedisThrottleOptions): void {
  refuse('', optionsRule(options));
  if (options.redis.isCluster === true)
    throw invalid('redis', 'must not be a Redis Cluster: one Redis holds a limit');
}

/** `duplicate` alone is not enough: other clients of Redis have it too. */
function isClient(value: unknown): boolean {
  const methods = Object(value) as Record<string, unknown>;
  return ['duplicate', 'defineCommand'].every((name) => typeof methods[name] === 'function');
}
