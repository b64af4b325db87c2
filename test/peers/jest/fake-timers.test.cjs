// The same as test/transport/fake-timers.test.ts, with Jest and the built package.
const { afterEach, expect, jest, test } = require('@jest/globals');
const { EmailPlatform } = require('email-platform');
const { createEmulator } = require('email-platform/testing');

const LIMIT = { requests: 5, perMs: 500 };

/** The real clocks, which no test tool replaces. */
const realNow = performance.now.bind(performance);
const realDate = Date.now() - realNow();

afterEach(() => {
  jest.useRealTimers();
});

/** A client and a service with a small limit; the service keeps it by `now`. */
function limited(now) {
  const emulator = createEmulator({ limits: { token: LIMIT }, window: 'sliding', ...(now && { now }) });
  const client = new EmailPlatform({
    ...emulator.clientOptions(),
    throttle: { limits: { token: LIMIT } },
    // A refusal would show.
    retry: false,
  });
  const call = (count) => Promise.all(Array.from({ length: count }, () => client.sendingDomains.list()));
  return { call, emulator };
}

const refused = ({ emulator }) => emulator.requests.filter(({ status }) => status !== 200).length;

test('a client that was used before timers are faked goes on, and keeps to the limit in faked time', async () => {
  const service = limited();
  await service.call(5);
  jest.useFakeTimers();
  expect(performance.now()).toBeLessThan(realNow());

  let isDone = false;
  const calls = service.call(12).finally(() => (isDone = true));
  await jest.advanceTimersByTimeAsync(LIMIT.perMs / 5);
  expect([isDone, service.emulator.requests.length]).toEqual([false, 5]);
  // Three windows: five calls, five, and two.
  await jest.advanceTimersByTimeAsync(4 * LIMIT.perMs);
  expect(await calls).toHaveLength(12);
  expect(refused(service)).toBe(0);
});

test('when real time comes back, a service that lived in it sees no request too many', async () => {
  const service = limited(() => realDate + realNow());
  await service.call(5);
  jest.useFakeTimers();
  await jest.advanceTimersByTimeAsync(1);
  // Looks at the clock while it is faked, and sends nothing: the pool is full.
  const queued = service.call(1);
  jest.useRealTimers();
  expect(await service.call(11)).toHaveLength(11);
  await queued;
  expect(refused(service)).toBe(0);
});

test('there and back, again and again', async () => {
  const service = limited();
  for (let times = 0; times < 3; times += 1) {
    await service.call(6);
    jest.useFakeTimers();
    const calls = service.call(11);
    await jest.advanceTimersByTimeAsync(4 * LIMIT.perMs);
    expect(await calls).toHaveLength(11);
    jest.useRealTimers();
  }
  await service.call(6);
  expect(refused(service)).toBe(0);
  expect(service.emulator.requests).toHaveLength(3 * 17 + 6);
});

const mail = { from: 'a@mail.example.com', to: 'ann@example.org', subject: 'Hello', text: 'Hello' };

test('one advance is enough for the first email of a client, in a timer', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  jest.useFakeTimers();
  setTimeout(() => void client.sending.send(mail), 3_600_000);
  await jest.advanceTimersByTimeAsync(3_600_000);
  expect(emulator.messages()).toHaveLength(1);
});

test('one advance is enough for an email, and its retry', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  emulator.faults.next({ kind: 'status', status: 429, headers: { 'retry-after': '5' } });
  jest.useFakeTimers();
  const sent = client.sending.send(mail);
  await jest.advanceTimersByTimeAsync(60_000);
  expect((await sent).message_ids).toHaveLength(1);
});
