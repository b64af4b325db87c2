import type { ThrottleLimits } from '../../core/limits.ts';
import { memberOf } from '../../core/record.ts';
import { checkedOptions, invalid } from '../../core/rules.ts';
import { POOL_NAMES } from '../../throttle/limits.ts';
import { Permit, type PermitRequest } from '../../throttle/permit.ts';
import type { Ending } from '../../throttle/permit-window.ts';
import { PoolThrottle } from '../../throttle/pool-throttle.ts';
import type { Throttle } from '../../throttle/throttle.ts';
import { startJob } from './job.ts';
import { poolsRule, type BottleneckPools } from './options.ts';

/**
 * Keeps to the limits as `createThrottle()` does, and runs every request as a job of your own limiters, clustered or
 * not. The limiters serve one token and its account: create one such throttle for each token. Each call checks the
 * settings that a limiter exposes. If a limiter does not run a call's job, the call fails with a ConfigurationError.
 *
 * @throws ConfigurationError if a pool or an option is unknown or wrong
 */
export function bottleneckThrottle(pools: BottleneckPools): Throttle {
  const own = checkedOptions(poolsRule, pools);
  const limiters = POOL_NAMES.flatMap((name) => own[name]?.limiter ?? []);
  if (new Set(limiters).size < limiters.length)
    throw invalid('limiter', 'must be a different limiter for each pool');
  return new LimiterThrottle(own);
}

/** A call first takes its permits, as with `createThrottle()`, and then waits for a job in each of its limiters. */
class LimiterThrottle extends PoolThrottle {
  readonly #pools: BottleneckPools;

  constructor(pools: BottleneckPools) {
    const limits = POOL_NAMES.map((name) => [name, pools[name] ? memberOf(pools[name], 'limit') : false]);
    super({ limits: Object.fromEntries(limits) as ThrottleLimits });
    this.#pools = pools;
  }

  override acquire(request: PermitRequest): Permit {
    const { key, pool, priority, timeoutMs, onWait } = request;
    // Keeps the process alive while a call waits for a job.
    const alive = setInterval(() => undefined, 60_000);
    const ends: ((ending: Ending) => void)[] = [];
    const leave = (ending: Ending) => ends.splice(0).forEach((end) => end(ending));
    const permit = new Permit(request, [], 0, (_permit, wasOut, ending) => {
      clearInterval(alive);
      leave(wasOut ? ending : 'neverSent');
    });
    const isWaiting = () => permit.state === 'waiting';
    const enter = async (): Promise<void> => {
      for (let { isRetry } = request; isWaiting(); isRetry = true) {
        const own = super.acquire({ key, pool, priority, timeoutMs, onWait, isRetry });
        ends.push((ending) => own.end(ending));
        if (own.state === 'waiting')
          await new Promise((resolve, reject) => (own.waiter = { resolve, reject }));
        // The account's job first, so that the token's, which every call needs, does not wait for it.
        for (const each of [...own.pools].reverse()) {
          const options = this.#pools[each.name];
          if (options && isWaiting()) ends.push(await startJob(each, options, permit, () => this.now()));
        }
        // During the wait for the jobs the call may have been aborted, or the service may have refused another call.
        const isOpen = own.pools.every(({ blockedUntil }) => blockedUntil <= own.grantedAt);
        if (isOpen && isWaiting()) {
          own.grantedAt = this.now();
          permit.grant(own.grantedAt);
        } else leave('neverSent');
      }
    };
    enter().catch((error: unknown) => {
      permit.end('neverSent');
      permit.waiter?.reject(error as Error);
    });
    return permit;
  }

  protected override ownerOf(): string {
    return 'limiters';
  }
}
