import Bottleneck from 'bottleneck';
import { ConfigurationError } from 'email-platform';
import { bottleneckThrottle, type BottleneckPools } from 'email-platform/bottleneck';
import { expect, test } from 'vitest';
import { thrown } from '../../support/expect-error.ts';

const limiter = new Bottleneck({ maxConcurrent: 150 });
const release = 'window';
const limit = { requests: 150, perMs: 10_000 };

test.each<[string, unknown]>([
  ['options', undefined],
  ['options', () => undefined],
  ['tokens', { tokens: { limiter, release } }],
  ['token.limiter', { token: limiter }],
  ['token.release', { token: { limiter } }],
  ['token.release', { token: { limiter, release: 'response' } }],
  ['token.limiter', { token: { release } }],
  ['token.limiter', { token: { limiter: null, release } }],
  ['token.limiter', { token: { limiter: { maxConcurrent: 150 }, release } }],
  ['token.limiter', { token: { limiter: new Bottleneck.Group({ maxConcurrent: 150 }), release } }],
  ['token.limiter', { token: { limiter: Bottleneck, release } }],
  ['token.perMs', { token: { limiter, release, perMs: 10_000 } }],
  ['token.limit', { token: { limiter, release, limit: 150 } }],
  ['token.limit', { token: { limiter, release, limit: false } }],
  ['token.limit.requests', { token: { limiter, release, limit: { ...limit, requests: 0 } } }],
  ['token.limit.perMs', { token: { limiter, release, limit: { requests: 150 } } }],
  ['token.limit.perMs', { token: { limiter, release, limit: { ...limit, perMs: Infinity } } }],
  ['stats.release', { token: { limiter, release }, stats: { limiter: new Bottleneck() } }],
  ['limiter', { token: { limiter, release }, stats: { limiter, release } }],
])('a wrong %s is refused, and the error names it', (option, pools) => {
  const error = thrown(() => bottleneckThrottle(pools as BottleneckPools), ConfigurationError);
  expect(error.option).toBe(option);
  expect(error.message.startsWith(`${option} `)).toBe(true);
});

test('the error says what the option must be', () => {
  const message = (pools: unknown) =>
    thrown(() => bottleneckThrottle(pools as BottleneckPools), ConfigurationError).message;
  expect(message({ token: { limiter: {}, release } })).toBe(
    'token.limiter must be a limiter: new Bottleneck({ … })',
  );
  expect(message({ token: { limiter, release: 'end' } })).toBe(
    "token.release must be one of 'window', 'headers'",
  );
  expect(message({ everything: { limiter, release } })).toContain('everything is not a known field');
});

test('changing the options object later has no effect', () => {
  const changed = { requests: 150, perMs: 10_000 };
  const throttle = bottleneckThrottle({ token: { limiter, release, limit: changed } });
  changed.requests = 1;
  expect(throttle.snapshot({ token: 'a' }).token?.requests).toBe(150);
});
