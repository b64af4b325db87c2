import { expect, test } from 'vitest';
import { createThrottle } from '../../src/throttle/create-throttle.ts';
import type { Permit, PermitRequest } from '../../src/throttle/permit.ts';
import { permitRequest } from '../support/permit-request.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const TENANTS = 1000;
const LIMITS = { token: { requests: 1, perMs: 1000 }, stats: { requests: 1, perMs: 1000 } };

/** A throttle with a waiting call of each tenant, which counts how often one of them is looked at. */
function crowded(requestOf: (tenant: number) => Partial<PermitRequest>) {
  const time = new VirtualTime();
  const throttle = createThrottle({ limits: LIMITS }, { now: time.now, setTimer: time.setTimer });
  const acquire = (tenant: number) => throttle.acquire(permitRequest(requestOf(tenant)));
  let looks = 0;
  const watch = (permit: Permit) => {
    const { pools } = permit;
    const get = () => {
      looks += 1;
      return pools;
    };
    return Object.defineProperty(permit, 'pools', { get });
  };
  const tenants = Array.from({ length: TENANTS }, (_, tenant) => tenant);
  const sent = tenants.map(acquire).filter(({ state }) => state === 'out');
  const waiting = tenants.map(acquire).filter(({ state }) => state === 'waiting');
  waiting.forEach(watch);
  const looksDuring = (run: () => void) => {
    looks = 0;
    run();
    return looks;
  };
  return { acquire, looksDuring, sent, waiting, time };
}

test('a call of one token is queued, sent and ended without a look at those of a thousand others', () => {
  const { acquire, looksDuring, waiting } = crowded((tenant) => ({ key: { token: `token ${tenant}` } }));
  expect(waiting).toHaveLength(TENANTS);
  const looks = looksDuring(() => {
    const first = acquire(TENANTS);
    const second = acquire(TENANTS);
    first.end('neverSent');
    expect([first.state, second.state]).toEqual(['ended', 'out']);
    acquire(TENANTS).end('neverSent');
    second.end('answered');
  });
  expect(looks).toBe(0);
});

test('with a token that a thousand accounts share, a call is queued and leaves without a look at the others', () => {
  const { acquire, looksDuring } = crowded((tenant) => ({
    key: { token: 'one', accountId: tenant + 1 },
    pool: 'stats',
  }));
  const looks = looksDuring(() => {
    const queued = acquire(TENANTS);
    expect(queued.state).toBe('waiting');
    queued.end('neverSent');
  });
  expect(looks).toBe(0);
});

test('each tenant that waits is served as soon as its own limits have room', async () => {
  const { sent, waiting, time } = crowded((tenant) => ({ key: { token: `token ${tenant}` } }));
  for (const permit of sent) permit.end('answered');
  await time.advance(1000);
  expect(waiting.filter(({ state }) => state === 'out')).toHaveLength(TENANTS);
});

test('after a restart of the service, which forgets its counts, every permit is free', () => {
  const time = new VirtualTime();
  let epoch = 1;
  const throttle = createThrottle(
    { limits: LIMITS },
    { now: time.now, setTimer: time.setTimer },
    () => epoch,
  );
  const state = () => throttle.acquire(permitRequest({ key: { token: 'a' } })).state;
  expect([state(), state()]).toEqual(['out', 'waiting']);
  epoch = 2;
  expect(throttle.snapshot({ token: 'a' }).token?.used).toBe(0);
  expect(state()).toBe('out');
});
