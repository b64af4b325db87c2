import type { ThrottleLimits } from '../core/limits.ts';
import { functionRule, invalid, mustBe, objectOf, positiveRule, refuse } from '../core/rules.ts';
import { limitsRule } from '../throttle/limits.ts';
import type { RedisClient } from './connection.ts';

/** How the throttle stands. */
export interface RedisThrottleStatus {
  /** Whether it keeps to this process's own share of the limits, because Redis cannot be asked. */
  readonly degraded: boolean;
  /** Why, when it is. */
  readonly cause?: Error;
}

/** How limits are shared through Redis. */
export interface RedisThrottleOptions {
  /**
   * An ioredis client. It is duplicated, for a connection of the throttle's own; the client itself stays yours, to use
   * and to close.
   */
  readonly redis: RedisClient;
  /**
   * What every key in Redis begins with. Only throttles with the same prefix share.
   * @defaultValue 'email-platform'
   */
  readonly prefix?: string | undefined;
  /** Limits to use instead of the published ones; `false` switches a pool off. The same in every process. */
  readonly limits?: ThrottleLimits | undefined;
  /**
   * How many processes share the limits; only used while Redis cannot be reached, when each keeps to an equal part.
   * Without it, as many as were there when Redis was last reached; 10 if it never was.
   */
  readonly processes?: number | undefined;
  /**
   * A name for the token of clients whose token is a function: what that will return cannot be known while a call
   * waits. Needed for those; all of them on this throttle count as one token.
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

/** Checks the options. Refuses what it does not understand. */
export function checkRedisOptions(options: RedisThrottleOptions): void {
  refuse('', optionsRule(options));
  if (options.redis.isCluster === true)
    throw invalid('redis', 'must not be a Redis Cluster: one Redis holds a limit');
}

/** By `defineCommand` as well: other clients of Redis can be duplicated, too. */
function isClient(value: unknown): boolean {
  const methods = Object(value) as Record<string, unknown>;
  return ['duplicate', 'defineCommand'].every((name) => typeof methods[name] === 'function');
}
