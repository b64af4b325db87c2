import { ConfigurationError, EmailPlatform } from 'email-platform';
import { redisThrottle } from 'email-platform/redis';
import { createEmulator } from 'email-platform/testing';
import { expect, test, vi } from 'vitest';
import { rejection } from '../support/caught.ts';

vi.mock('bottleneck', () => {
  throw new Error("Cannot find package 'bottleneck'");
});

test('every call fails and says what to install, those made before that was known as well', async () => {
  const emulator = createEmulator();
  const statuses: unknown[] = [];
  const redis = { duplicate: () => undefined, defineCommand: () => undefined };
  const throttle = redisThrottle({ redis, onStatus: (status) => statuses.push(status) });
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle, deadlineMs: 60_000 });
  const early = [client.campaigns.get(1), client.campaigns.get(2)].map((call) =>
    rejection(call, ConfigurationError),
  );
  const errors = await Promise.all(early);
  errors.push(await rejection(client.campaigns.get(3), ConfigurationError));
  expect(errors.map(({ request }) => request?.path.at(-1))).toEqual(['1', '2', '3']);
  for (const error of errors) {
    expect(error.message).toContain('npm install bottleneck ioredis');
    expect(error).toMatchObject({ option: 'redis', effect: 'none', cause: expect.any(Error) as Error });
  }
  expect(emulator.requests).toEqual([]);
  expect(client.throttle.snapshot().token).toMatchObject({ used: 0, waiting: 0 });
  expect(statuses).toEqual([]);
  await throttle.close();
});
