import Bottleneck from 'bottleneck';
import { ConfigurationError, EmailPlatform } from 'email-platform';
import { bottleneckThrottle, type BottleneckPool } from 'email-platform/bottleneck';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../support/expect-error.ts';
import { throughTime, useFakeTime } from '../../support/fake-time.ts';
import { otherJob, settleJobs } from '../../support/jobs.ts';

useFakeTime();

const limit = { requests: 10, perMs: 1_000 };

function clientOver(pool: Partial<BottleneckPool> & Pick<BottleneckPool, 'limiter'>) {
  const emulator = createEmulator();
  const throttle = bottleneckThrottle({ token: { release: 'headers', limit, ...pool } });
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle });
  const id = emulator.campaigns.add();
  return { emulator, call: () => client.campaigns.get(id) };
}

const failure = (call: () => Promise<unknown>) => rejection(call(), ConfigurationError);

describe('a call fails with a ConfigurationError', () => {
  test('if the limiter was stopped, whether the call was queued before or made later', async () => {
    const limiter = new Bottleneck({ maxConcurrent: 1 });
    const { emulator, call } = clientOver({ limiter, limit: { requests: 2, perMs: 1_000 } });
    const endOther = await otherJob(limiter);
    // Two wait for a job; the third for room in the window.
    const waiting = Promise.all([1, 2, 3].map(() => failure(call)));
    await settleJobs();
    const stopped = limiter.stop();
    endOther();
    await throughTime(stopped);
    for (const error of [...(await throughTime(waiting)), await throughTime(failure(call))])
      expect(error).toMatchObject({
        option: 'token.limiter',
        effect: 'none',
        request: { operation: 'campaigns.get', attempts: 0 },
        message: expect.stringMatching(
          /^token\.limiter ran no job for this call: .*has been stopped/,
        ) as string,
        cause: expect.any(Bottleneck.BottleneckError) as Error,
      });
    expect(emulator.requests).toEqual([]);
  });

  test('if the limiter dropped its job; other calls succeed', async () => {
    const limiter = new Bottleneck({
      maxConcurrent: 1,
      highWater: 1,
      strategy: Bottleneck.strategy.OVERFLOW,
    });
    const { emulator, call } = clientOver({ limiter });
    const endOther = await otherJob(limiter);
    const kept = call();
    await settleJobs();
    expect((await throughTime(failure(call))).message).toContain('dropped');
    endOther();
    await throughTime(kept);
    expect(emulator.requests).toHaveLength(1);
  });

  test('if the limiter cannot run any job', async () => {
    const { call } = clientOver({ limiter: new Bottleneck({ maxConcurrent: 0 }) });
    expect((await throughTime(failure(call))).message).toContain('Impossible to add a job');
  });

  test('if the limiter throws', async () => {
    const limiter = {
      check: () => Promise.resolve(false),
      currentReservoir: () => Promise.resolve(null),
      schedule: () => {
        throw new Error('broken');
      },
    } as unknown as Bottleneck;
    const { emulator, call } = clientOver({ limiter });
    expect((await throughTime(failure(call))).message).toContain('broken');
    expect(emulator.requests).toEqual([]);
  });
});

describe("release 'window'", () => {
  const requests = 3;
  const overWindow = (limiter: Bottleneck) =>
    clientOver({ limiter, release: 'window', limit: { requests, perMs: 1_000 } });

  test.each([
    ['without maxConcurrent', {}, 'maxConcurrent is not 3'],
    ['with a larger maxConcurrent', { maxConcurrent: 4 }, 'maxConcurrent is not 3'],
    ['with a reservoir', { maxConcurrent: 3, reservoir: 100 }, 'has a reservoir'],
    ['with an empty reservoir', { maxConcurrent: 3, reservoir: 0 }, 'has a reservoir'],
  ])('refuses calls over a limiter %s', async (_, settings, message) => {
    const { emulator, call } = overWindow(new Bottleneck(settings));
    const error = await throughTime(failure(call));
    expect(error.message).toContain(message);
    expect(error.option).toBe('token.limiter');
    expect(emulator.requests).toEqual([]);
  });

  test('accepts calls over a limiter with the right settings, until these change', async () => {
    const limiter = new Bottleneck({ maxConcurrent: requests });
    const { call } = overWindow(limiter);
    await throughTime(call());
    const changed = limiter.updateSettings({ maxConcurrent: 10 }) as unknown as Promise<Bottleneck>;
    await throughTime(changed);
    expect((await throughTime(failure(call))).message).toContain('maxConcurrent is not 3');
    // Correct the setting again.
    await throughTime(limiter.updateSettings({ maxConcurrent: 3 }) as unknown as Promise<Bottleneck>);
    await throughTime(call());
  });
});
