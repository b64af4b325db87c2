import Bottleneck from 'bottleneck';
import { AbortedError, EmailPlatform } from 'email-platform';
import { bottleneckThrottle } from 'email-platform/bottleneck';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test, vi } from 'vitest';
import type { PermitRequest } from '../../../src/throttle/permit.ts';
import { rejection } from '../../support/expect-error.ts';
import { pass, throughTime, useFakeTime } from '../../support/fake-time.ts';
import { granted, jobsOf, otherJob, settleJobs } from '../../support/jobs.ts';
import { withOwnTimers } from '../../support/own-timers.ts';
import { acquirePermit, permitRequest } from '../../support/permit-request.ts';

useFakeTime();

const key = { token: 'a' };
const limit = { requests: 10, perMs: 1_000 };

/** A limiter that runs one job at a time, a throttle over it, and a client. */
function world() {
  const emulator = createEmulator();
  const limiter = new Bottleneck({ maxConcurrent: 1 });
  const throttle = bottleneckThrottle({ token: { limiter, release: 'headers', limit } });
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle });
  return { emulator, id: emulator.campaigns.add(), limiter, throttle, client };
}

describe('an aborted call', () => {
  test('that waits for a job fails at once; its job ends at its turn, and nothing is sent', async () => {
    const { emulator, id, limiter, throttle, client } = world();
    const endOther = await otherJob(limiter);
    const controller = new AbortController();
    await withOwnTimers(async (pending) => {
      const call = rejection(client.campaigns.get(id, { signal: controller.signal }), AbortedError);
      await settleJobs();
      expect(jobsOf(limiter)).toEqual({ waiting: 1, running: 1 });
      const abortedAt = Date.now();
      controller.abort();
      expect((await call).effect).toBe('none');
      expect(Date.now()).toBe(abortedAt);
      expect(pending()).toBe(0);
    });
    expect(jobsOf(limiter)).toEqual({ waiting: 1, running: 1 });
    expect(throttle.snapshot(key).token).toMatchObject({ used: 0, waiting: 0 });
    endOther();
    await settleJobs();
    expect(jobsOf(limiter)).toEqual({ waiting: 0, running: 0 });
    expect(emulator.requests).toEqual([]);
    await throughTime(client.campaigns.get(id));
  });

  test('that waits for the token’s job ends its account’s job', async () => {
    const [token, stats] = [new Bottleneck({ maxConcurrent: 1 }), new Bottleneck({ maxConcurrent: 1 })];
    const throttle = bottleneckThrottle({
      token: { limiter: token, release: 'headers', limit },
      stats: { limiter: stats, release: 'window', limit: { requests: 1, perMs: 60_000 } },
    });
    const endOther = await otherJob(token);
    const permit = throttle.acquire(permitRequest({ pool: 'stats' }));
    await settleJobs();
    expect(jobsOf(stats).running).toBe(1);
    permit.end('neverSent');
    await settleJobs();
    expect(jobsOf(stats).running).toBe(0);
    endOther();
    await settleJobs();
    expect(jobsOf(token)).toEqual({ waiting: 0, running: 0 });
  });

  test('that waits for room in the window has no job yet', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 1 });
    const throttle = bottleneckThrottle({
      token: { limiter, release: 'window', limit: { requests: 1, perMs: 1_000 } },
    });
    const first = await granted(throttle);
    const second = throttle.acquire(permitRequest());
    await settleJobs();
    expect(jobsOf(limiter).waiting).toBe(0);
    expect(throttle.snapshot(key).token).toMatchObject({ used: 1, waiting: 1 });
    second.end('neverSent');
    expect(throttle.snapshot(key).token).toMatchObject({ used: 1, waiting: 0 });
    first.end('answered');
  });
});

describe('the order in the limiter', () => {
  test('retries go before first attempts of the same priority, and higher priorities before lower ones', async () => {
    const { limiter, throttle } = world();
    const endOther = await otherJob(limiter);
    const order: string[] = [];
    const ask = (name: string, overrides: Partial<PermitRequest>) => {
      void Promise.resolve(acquirePermit(throttle, overrides)).then((permit) => {
        order.push(name);
        permit.end('neverSent');
      });
    };
    ask('low', { priority: 'low' });
    ask('low retry', { priority: 'low', isRetry: true });
    ask('normal', {});
    await settleJobs();
    void limiter.schedule(() => Promise.resolve(order.push('an unrelated job')));
    ask('another normal', {});
    ask('normal retry', { isRetry: true });
    ask('high', { priority: 'high' });
    ask('high retry', { priority: 'high', isRetry: true });
    await settleJobs();
    endOther();
    await pass(1_000);
    expect(order).toEqual([
      'high retry',
      'high',
      'normal retry',
      'normal',
      'an unrelated job',
      'another normal',
      'low retry',
      'low',
    ]);
  });

  test('a call waits for the job of its account first, and does not occupy the token meanwhile', async () => {
    const [token, stats] = [new Bottleneck({ maxConcurrent: 1 }), new Bottleneck({ maxConcurrent: 1 })];
    const throttle = bottleneckThrottle({
      token: { limiter: token, release: 'headers', limit },
      stats: { limiter: stats, release: 'headers', limit },
    });
    const endOther = await otherJob(stats);
    const withStats = throttle.acquire(permitRequest({ pool: 'stats' }));
    await settleJobs();
    expect(jobsOf(token)).toEqual({ waiting: 0, running: 0 });
    (await granted(throttle)).end('answered');
    expect(withStats.state).toBe('waiting');
    endOther();
    await settleJobs();
    expect(withStats.state).toBe('out');
    expect([jobsOf(token).running, jobsOf(stats).running]).toEqual([1, 1]);
  });

  test('a call needs jobs only for the pools it uses, and none for a pool that was left out', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 1 });
    const throttle = bottleneckThrottle({ stats: { limiter, release: 'headers', limit } });
    await granted(throttle);
    await granted(throttle, { pool: 'contacts' });
    expect(jobsOf(limiter)).toEqual({ waiting: 0, running: 0 });
    await granted(throttle, { pool: 'stats' });
    expect(jobsOf(limiter).running).toBe(1);
    expect(throttle.snapshot(key)).toEqual({ stats: { ...limit, used: 1, waiting: 0 } });
  });
});

describe('after a refusal', () => {
  test('a call that waits for a job is not granted before the pool opens, even if the job starts', async () => {
    const { limiter, throttle } = world();
    const endOther = await otherJob(limiter);
    const permit = throttle.acquire(permitRequest());
    await settleJobs();
    expect(throttle.block(key, 'token', 5_000).isClosed).toBe(true);
    endOther();
    await pass(4_900);
    expect(permit.state).toBe('waiting');
    // Meanwhile the limiter is free for other jobs.
    expect(jobsOf(limiter)).toEqual({ waiting: 0, running: 0 });
    await pass(200);
    expect(permit.state).toBe('out');
  });

  test('a call that waited for a job goes before calls made after the refusal', async () => {
    const { limiter, throttle } = world();
    const endOther = await otherJob(limiter);
    const first = throttle.acquire(permitRequest());
    await settleJobs();
    throttle.block(key, 'token', 5_000);
    const second = throttle.acquire(permitRequest());
    endOther();
    await pass(5_100);
    expect([first.state, second.state]).toEqual(['out', 'waiting']);
  });

  test('the next calls are sent one by one, until responses arrive', async () => {
    const limiter = new Bottleneck();
    const throttle = bottleneckThrottle({ token: { limiter, release: 'headers', limit } });
    throttle.block(key, 'token', 5_000);
    const permits = Array.from({ length: 4 }, () => throttle.acquire(permitRequest()));
    const out = () => permits.filter(({ state }) => state === 'out').length;
    await pass(5_100);
    expect(out()).toBe(1);
    permits[0]?.end('answered');
    await settleJobs();
    expect(out()).toBe(2);
  });

  test('a pool without a limiter cannot be closed', () => {
    expect(world().throttle.block(key, 'stats', 5_000).isClosed).toBe(false);
  });
});

describe('a throttle over limiters reports', () => {
  test('the calls of this process, whatever their token', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 2 });
    const pool = { limiter, release: 'window', limit: { requests: 2, perMs: 1_000 } } as const;
    const throttle = bottleneckThrottle({ token: pool });
    const onWait = vi.fn();
    for (const token of ['a', 'b']) (await granted(throttle, { key: { token }, onWait })).end('answered');
    expect(onWait).not.toHaveBeenCalled();
    throttle.acquire(permitRequest({ key: { token: 'c' }, onWait }));
    expect(onWait).toHaveBeenCalledWith({
      pool: 'token',
      waiting: 1,
      expectedWaitMs: expect.any(Number) as number,
    });
    expect(throttle.snapshot(key)).toEqual({ token: { requests: 2, perMs: 1_000, used: 2, waiting: 1 } });
    expect(throttle.estimate(2, 'token', key)).toBeGreaterThan(1_000);
  });

  test('the published limits, unless others are given', () => {
    const throttle = bottleneckThrottle({
      token: { limiter: new Bottleneck({ maxConcurrent: 150 }), release: 'window' },
      stats: { limiter: new Bottleneck({ maxConcurrent: 10 }), release: 'window' },
    });
    expect(throttle.snapshot(key)).toEqual({
      token: { requests: 150, perMs: 10_000, used: 0, waiting: 0 },
      stats: { requests: 10, perMs: 60_000, used: 0, waiting: 0 },
    });
  });
});
