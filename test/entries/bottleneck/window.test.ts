import Bottleneck from 'bottleneck';
import { EmailPlatform } from 'email-platform';
import { bottleneckThrottle, type BottleneckPool } from 'email-platform/bottleneck';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { pass, throughTime, useFakeTime } from '../../support/fake-time.ts';
import { granted, jobsOf, otherJob, settleJobs } from '../../support/jobs.ts';
import { permitRequest } from '../../support/permit-request.ts';
import { isFull } from '../../support/extent.ts';
import { random } from '../../support/random.ts';

useFakeTime();

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Round trips of 10 to 300 ms, split at random between the way there and the way back. */
function jittering(fetch: EmailPlatform.Fetch, seed: number): EmailPlatform.Fetch {
  const next = random(seed);
  return async (input, init) => {
    const roundTrip = 10 + next() * 290;
    const there = roundTrip * next();
    await sleep(there);
    const response = await fetch(input, init);
    await sleep(roundTrip - there);
    return response;
  };
}

describe('the job of a request ends one window after its headers', () => {
  test.each(isFull ? [1, 2] : [1])(
    'two throttles that share only a limiter are not refused by a sliding window (network %i)',
    async (seed) => {
      const emulator = createEmulator({ window: 'sliding' });
      const id = emulator.campaigns.add();
      const limiter = new Bottleneck({ maxConcurrent: 150 });
      const options = emulator.clientOptions();
      const clients = [seed, seed + 10].map(
        (each) =>
          new EmailPlatform({
            ...options,
            fetch: jittering(options.fetch, each),
            throttle: bottleneckThrottle({ token: { limiter, release: 'window' } }),
          }),
      );
      const calls = clients.flatMap((client) => Array.from({ length: 200 }, () => client.campaigns.get(id)));
      await throughTime(Promise.all(calls));
      const { requests } = emulator;
      expect(requests.map(({ status }) => status)).toEqual(new Array(400).fill(200));
      const tookMs = (requests.at(-1)?.at ?? NaN) - (requests[0]?.at ?? NaN);
      expect(tookMs).toBeGreaterThanOrEqual(20_000);
      expect(tookMs).toBeLessThanOrEqual(22_000);
    },
  );

  test.each([
    ['answered', 1_000],
    ['abandoned', 5_000 - 200 + 1_000],
    ['timedOut', 5_000 + 1_000],
  ] as const)('%s after 200 ms: it ends %i ms later', async (ending, ms) => {
    const limiter = new Bottleneck({ maxConcurrent: 2 });
    const pool: BottleneckPool = { limiter, release: 'window', limit: { requests: 2, perMs: 1_000 } };
    const permit = await granted(bottleneckThrottle({ token: pool }), { timeoutMs: 5_000 });
    await pass(200);
    permit.end(ending);
    await pass(ms - 25);
    expect(jobsOf(limiter).running).toBe(1);
    await settleJobs();
    expect(jobsOf(limiter).running).toBe(0);
  });

  test('a request that was never sent: it ends at once', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 2 });
    const pool: BottleneckPool = { limiter, release: 'window', limit: { requests: 2, perMs: 1_000 } };
    const permit = await granted(bottleneckThrottle({ token: pool }));
    permit.end('neverSent');
    await settleJobs();
    expect(jobsOf(limiter)).toEqual({ waiting: 0, running: 0 });
  });

  test('a permit counts from when its request is sent, however long it waited for a job', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 1 });
    const pool: BottleneckPool = { limiter, release: 'window', limit: { requests: 1, perMs: 1_000 } };
    const throttle = bottleneckThrottle({ token: pool });
    const endOther = await otherJob(limiter);
    const permit = throttle.acquire(permitRequest({ timeoutMs: 5_000 }));
    await pass(4_000);
    endOther();
    await settleJobs();
    permit.end('abandoned');
    await pass(5_800);
    expect(throttle.snapshot({ token: 'a' }).token?.used).toBe(1);
    await pass(200);
    expect(throttle.snapshot({ token: 'a' }).token?.used).toBe(0);
  });

  test('for a call in two pools, each job ends after its own pool’s window', async () => {
    const [token, stats] = [new Bottleneck({ maxConcurrent: 150 }), new Bottleneck({ maxConcurrent: 10 })];
    const throttle = bottleneckThrottle({
      token: { limiter: token, release: 'window' },
      stats: { limiter: stats, release: 'window' },
    });
    const permit = await granted(throttle, { pool: 'stats' });
    permit.end('answered');
    await pass(10_100);
    expect([jobsOf(token).running, jobsOf(stats).running]).toEqual([0, 1]);
    await pass(50_000);
    expect([jobsOf(token).running, jobsOf(stats).running]).toEqual([0, 0]);
  });
});
