import { EmailPlatform, RateLimitError } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { mail } from '../../../tools/mail.ts';

const DAY_MS = 86_400_000;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function used() {
  const emulator = createEmulator({ domains: { propagateMs: 0 } });
  const client = new EmailPlatform(emulator.clientOptions());
  return { emulator, client };
}

/** The ways in which a date is set. */
const SETTERS: [string, (date: number) => void][] = [
  ['vi.setSystemTime', (date) => vi.setSystemTime(date)],
  [
    'fake timers that begin at a date',
    (date) => {
      vi.useRealTimers();
      vi.useFakeTimers({ now: date });
    },
  ],
  ['a spy on Date.now that stands still', (date) => vi.spyOn(Date, 'now').mockReturnValue(date)],
  [
    'the clock of the machine',
    (date) => {
      vi.restoreAllMocks();
      const { now } = Date;
      const by = date - now();
      vi.spyOn(Date, 'now').mockImplementation(() => now() + by);
    },
  ],
];

describe.each(SETTERS)('When the date is set back by %s', (_, setDate) => {
  test.each([1_000, DAY_MS / 24, 400 * DAY_MS])('by %i ms, everything goes on', async (backMs) => {
    const { emulator, client } = used();
    const own = emulator.domains.add({ name: 'own.example.com' });
    await client.sending.send(mail);
    const before = emulator.clock.now();
    setDate(Date.now() - backMs);
    await client.sending.send(mail);
    await client.sending.send({ ...mail, from: 'a@own.example.com' });
    expect(await client.sendingDomains.get(own)).toMatchObject({ dns_verified: true });
    expect((await client.campaigns.start(emulator.campaigns.add({ name: 'News' }))).current_state).not.toBe(
      'draft',
    );
    expect(emulator.clock.now()).toBeGreaterThanOrEqual(before);
    expect(emulator.clock.now()).toBeLessThan(before + DAY_MS);

    // A state that begins anew has the date that is then set.
    emulator.reset();
    await client.sending.send(mail);
    expect(Math.abs(emulator.clock.now() - Date.now())).toBeLessThan(1_000);
  });
});

test('a state that began in the future is not kept there by a reset', async () => {
  const { emulator, client } = used();
  vi.setSystemTime(Date.now() + 400 * DAY_MS);
  await client.sending.send(mail);
  emulator.reset();
  vi.useRealTimers();
  await client.sending.send(mail);
  expect(emulator.clock.now()).toBeLessThan(Date.now() + DAY_MS);
});

test('faked time passes after the date was set back, and the date holds again when it is put right', async () => {
  const { emulator, client } = used();
  await client.sending.send(mail);
  const start = emulator.clock.now();
  vi.useFakeTimers({ now: start - DAY_MS });
  await client.sending.send(mail);
  vi.advanceTimersByTime(2 * DAY_MS);
  expect(emulator.clock.now() - start).toBeGreaterThan(2 * DAY_MS - 1_000);
  await client.sending.send(mail);
  vi.setSystemTime(start + 5 * DAY_MS);
  expect(emulator.clock.now()).toBe(start + 5 * DAY_MS);
});

test('a window ends in the time that passes beside a frozen date', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle: false, retry: false });
  const calls = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => client.sendingDomains.list()));
  vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  const passed = vi.spyOn(performance, 'now').mockReturnValue(5_000);
  await calls(150);
  passed.mockReturnValue(14_999);
  await expect(calls(1)).rejects.toThrow(RateLimitError);
  passed.mockReturnValue(15_000);
  await calls(150);
  await expect(calls(1)).rejects.toThrow(RateLimitError);
});
