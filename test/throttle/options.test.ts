import { expect, test } from 'vitest';
import { ConfigurationError } from '../../src/core/errors.ts';
import { createThrottle } from '../../src/throttle/create-throttle.ts';
import type { ThrottleOptions } from '../../src/throttle/limits.ts';

const limit = { requests: 1, perMs: 1 };

test.each([
  ['throttle', null],
  ['throttle', []],
  ['throttle', 'fast'],
  // What `client.limits` is: it only reports on a throttle.
  ['throttle.snapshot', { snapshot: () => ({}), estimate: () => 0 }],
  ['throttle.limit', { limit: {} }],
  ['throttle.pace', { pace: 'fast' }],
  ['throttle.windows', { windows: 'sliding' }],
  ['throttle.limits', { limits: 5 }],
  ['throttle.limits.tokens', { limits: { tokens: limit } }],
  ['throttle.limits.token', { limits: { token: true } }],
  ['throttle.limits.token', { limits: { token: 150 } }],
  ['throttle.limits.token.per', { limits: { token: { ...limit, per: 1 } } }],
  ['throttle.limits.token.requests', { limits: { token: { perMs: 1 } } }],
  ['throttle.limits.token.requests', { limits: { token: { ...limit, requests: 0 } } }],
  ['throttle.limits.token.requests', { limits: { token: { ...limit, requests: 1.5 } } }],
  ['throttle.limits.token.requests', { limits: { token: { ...limit, requests: Infinity } } }],
  ['throttle.limits.stats.requests', { limits: { stats: { ...limit, requests: '10' } } }],
  ['throttle.limits.stats.perMs', { limits: { stats: { ...limit, perMs: 0 } } }],
  ['throttle.limits.stats.perMs', { limits: { stats: { ...limit, perMs: NaN } } }],
  ['throttle.limits.stats.perMs', { limits: { stats: { requests: 1 } } }],
])('%s is named in the error: %j', (option, options) => {
  const create = () => createThrottle(options as unknown as ThrottleOptions);
  expect(create).toThrow(ConfigurationError);
  expect(create).toThrow(expect.objectContaining({ option }));
  expect(create).toThrow(option);
});

test.each([
  undefined,
  {},
  { limits: undefined, pace: undefined, windows: undefined },
  { limits: { token: undefined } },
  { limits: { token: false, stats: limit }, pace: 'even', windows: 'aligned' },
])('%j is accepted', (options) => {
  expect(() => createThrottle(options as ThrottleOptions)).not.toThrow();
});

test('limits are the published ones by default, and a later change of the object has no effect', () => {
  const stats = { requests: 3, perMs: 50 };
  const throttle = createThrottle({ limits: { stats } });
  stats.requests = 4;
  const snapshot = throttle.snapshot({ token: 'a' });
  expect(snapshot.token).toMatchObject({ requests: 150, perMs: 10_000 });
  expect(snapshot.stats).toMatchObject({ requests: 3, perMs: 50 });
});
