import Bottleneck from 'bottleneck';
import { EmailPlatform, type Throttle } from 'email-platform';
import { bottleneckThrottle, type BottleneckPool, type BottleneckPools } from 'email-platform/bottleneck';
import type { Same } from './same.ts';

export function overLimiters(): unknown[] {
  const limiter = new Bottleneck({ maxConcurrent: 100 });
  const limit = { requests: 100, perMs: 10_000 };
  const throttle = bottleneckThrottle({ token: { limiter, release: 'window', limit } });
  const type: Same<typeof throttle, Throttle> = true;
  const stats: BottleneckPool = { limiter: new Bottleneck.Group().key('stats'), release: 'headers' };
  const pools: BottleneckPools = { stats, token: { limiter, release: 'window', limit: undefined } };
  const none = bottleneckThrottle({});
  const client = new EmailPlatform({ token: 'a-token', throttle: bottleneckThrottle(pools) });
  return [type, none, client.withOptions({ throttle })];
}

export function wrong(limiter: Bottleneck): unknown[] {
  return [
    // @ts-expect-error pools are required
    bottleneckThrottle(),
    // @ts-expect-error a limiter is not a pool
    bottleneckThrottle({ token: limiter }),
    // @ts-expect-error no such pool
    bottleneckThrottle({ tokens: { limiter, release: 'window' } }),
    // @ts-expect-error a limiter is required
    bottleneckThrottle({ token: { release: 'window' } }),
    // @ts-expect-error settings are not a limiter
    bottleneckThrottle({ token: { limiter: { maxConcurrent: 150 }, release: 'window' } }),
    // @ts-expect-error a group is not a limiter
    bottleneckThrottle({ token: { limiter: new Bottleneck.Group(), release: 'window' } }),
    // @ts-expect-error when jobs end has to be said
    bottleneckThrottle({ token: { limiter } }),
    // @ts-expect-error there is no other time when jobs end
    bottleneckThrottle({ token: { limiter, release: 'response' } }),
    // @ts-expect-error a limit has two parts
    bottleneckThrottle({ token: { limiter, release: 'window', limit: { requests: 150 } } }),
    // @ts-expect-error a pool is switched off by leaving it out
    bottleneckThrottle({ token: false }),
    // @ts-expect-error no such option
    bottleneckThrottle({ token: { limiter, release: 'window', perMs: 10_000 } }),
  ];
}
