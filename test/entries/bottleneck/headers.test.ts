import Bottleneck from 'bottleneck';
import { EmailPlatform } from 'email-platform';
import { bottleneckThrottle } from 'email-platform/bottleneck';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { pass, throughTime, useFakeTime } from '../../support/fake-time.ts';
import { granted, jobsOf, settleJobs } from '../../support/jobs.ts';

useFakeTime();

const limit = { requests: 20, perMs: 2_000 };

/** A typical limiter: a reservoir that is refilled once per window. */
const typicalLimiter = () =>
  new Bottleneck({
    reservoir: limit.requests,
    reservoirRefreshAmount: limit.requests,
    reservoirRefreshInterval: limit.perMs,
  });

test('the job of a request ends when its headers arrive', async () => {
  const limiter = new Bottleneck({ maxConcurrent: 1 });
  const throttle = bottleneckThrottle({ token: { limiter, release: 'headers', limit } });
  const permit = await granted(throttle);
  await settleJobs();
  expect(jobsOf(limiter).running).toBe(1);
  permit.end('answered');
  await settleJobs();
  expect(jobsOf(limiter).running).toBe(0);
});

test('a limiter with a reservoir limits the calls', async () => {
  const emulator = createEmulator();
  const id = emulator.campaigns.add();
  const limiter = new Bottleneck({ reservoir: 10 });
  const throttle = bottleneckThrottle({ token: { limiter, release: 'headers', limit } });
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle });
  const calls = Promise.all(Array.from({ length: 15 }, () => client.campaigns.get(id)));
  await pass(20_000);
  expect(emulator.requests).toHaveLength(10);
  await throughTime(limiter.incrementReservoir(5));
  await throughTime(calls);
  expect(emulator.requests).toHaveLength(15);
});

test('when another client uses up the limit, every call succeeds, and none is sent before the reset', async () => {
  const emulator = createEmulator({ window: 'sliding', limits: { token: limit } });
  const id = emulator.campaigns.add();
  const limiter = typicalLimiter();
  const refusals: (EmailPlatform.ResponseEvent & { readonly knownAt: number })[] = [];
  const sentAt: number[] = [];
  const options = emulator.clientOptions();
  const client = new EmailPlatform({
    ...options,
    throttle: bottleneckThrottle({ token: { limiter, release: 'headers', limit } }),
    hooks: {
      onRequest: () => void sentAt.push(Date.now()),
      onResponse: (event) => {
        if (event.status === 429) refusals.push({ ...event, knownAt: Date.now() });
      },
    },
  });
  const calls = Promise.all(Array.from({ length: 60 }, () => client.campaigns.get(id)));
  let isOver = false;
  const others = async () => {
    const other = new EmailPlatform({ ...options, throttle: false, retry: false });
    while (!isOver) {
      await other.templates.list().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  };
  const done = Promise.all([calls.finally(() => (isOver = true)), others()]);
  await throughTime(done);
  await throughTime(limiter.disconnect());
  const ours = emulator.requests.filter(({ path }) => path.endsWith(`/${id}`));
  expect(ours.filter(({ status }) => status === 200)).toHaveLength(60);
  // Otherwise the test proves nothing.
  expect(refusals.length).toBeGreaterThan(0);
  for (const { rateLimit, knownAt } of refusals) {
    const resetAt = rateLimit.resetAt?.getTime() ?? NaN;
    expect(resetAt).toBeGreaterThan(knownAt);
    expect(sentAt.filter((at) => at > knownAt && at < resetAt)).toEqual([]);
  }
});

test('a single process stays within the limit even if the limiter has no settings', async () => {
  const emulator = createEmulator({ window: 'sliding', limits: { token: limit } });
  const throttle = bottleneckThrottle({ token: { limiter: new Bottleneck(), release: 'headers', limit } });
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle });
  await throughTime(Promise.all(Array.from({ length: 50 }, () => client.campaigns.list({ per_page: 1 }))));
  expect(emulator.requests.map(({ status }) => status)).toEqual(new Array(50).fill(200));
});
