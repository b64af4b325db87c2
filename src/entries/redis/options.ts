import type { ThrottleLimits } from '../../core/limits.ts';
import { checkedOptions, functionRule, invalid, mustBe, objectOf, positiveRule } from '../../core/rules.ts';
import { limitsRule } from '../../throttle/limits.ts';
import type { RedisClient } from './connection.ts';

/** The state of the throttle. */
export interface RedisThrottleStatus {
  /** Whether each process keeps to its own share of the limits, because Redis is unreachable. */
  readonly degraded: boolean;
  /** The reason; absent unless `degraded` is true. */
  readonly cause?: Error;
}

/** Options of `redisThrottle`. */
export interface RedisThrottleOptions {
  /** An ioredis client. The throttle duplicates it and uses only the duplicate. You close the client yourself. */
  readonly redis: RedisClient;
  /**
   * The prefix of every key in Redis. Only throttles with the same prefix share limits.
   * @defaultValue 'email-platform'
   */
  readonly prefix?: string | undefined;
  /** Limits to use instead of the published ones; `false` switches a pool off. Use the same in every process. */
  readonly limits?: ThrottleLimits | undefined;
  /**
   * Number of processes that share the limits. Used only while Redis is unreachable, when each process keeps to an
   * equal share. By default, the number of processes at the last contact with Redis; 10 before the first contact.
   */
  readonly processes?: number | undefined;
  /**
   * A name for the token of clients whose token is a function, because the function's result is unknown while a call
   * waits. Required for those clients. All of them on this throttle count as one token.
   */
  readonly tokenName?: string | undefined;
  /** Called when the throttle starts to work without Redis, and when it shares the limits again. */
  readonly onStatus?: ((status: RedisThrottleStatus) => void) | undefined;
}

const optionsRule = objectOf<RedisThrottleOptions & { readonly windows?: never }>(
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
    windows: () => 'is not an option of redisThrottle, whose permits return by the rule for unknown windows',
  },
  ['redis'],
);

const inObjectRule = mustBe('an object with the client: pass { redis }', (options) => !isClient(options));

/** A copy of the options, after a check that refuses unknown and wrong ones. */
export function checkedRedisOptions(options: RedisThrottleOptions): RedisThrottleOptions {
  const own = checkedOptions((all) => inObjectRule(all) ?? optionsRule(all), options);
  if (own.redis.isCluster === true)
    throw invalid('redis', 'must not be a Redis Cluster: give it the client of a single Redis');
  return own;
}

/** Checks `defineCommand` too, because other clients of Redis also have `duplicate`. */
function isClient(value: unknown): boolean {
  const methods = Object(value) as Record<string, unknown>;
  return ['duplicate', 'defineCommand'].every((name) => typeof methods[name] === 'function');
}
