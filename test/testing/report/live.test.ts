import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import type { Reports } from '../../../src/testing/report/report.ts';
import { reportsOf } from '../../../src/testing/report/reports-of.ts';

const mail = { from: 'hello@mail.example.com', to: 'ann@example.org', subject: 'Welcome', text: 'Hello.' };

function setUp() {
  const emulator = createEmulator({ limits: false });
  emulator.clock.pause();
  const client = new EmailPlatform({ ...emulator.clientOptions(), throttle: false });
  const reports = reportsOf(emulator) as Reports | undefined;
  const live = reports?.live(() => ({
    clock: { now: emulator.clock.now(), paused: true },
    faults: [],
    inboxes: [],
    received: [],
  }));
  if (live === undefined) throw new Error('There is no report');
  const changes = async (cursor: string) => {
    const { report, more, ...others } = await live.changes(cursor, 0, new AbortController().signal);
    return { ...others, more, subjects: report.mails.map(({ subject }) => subject) };
  };
  return { emulator, client, live, changes };
}

test('the live page gets what changed since its cursor, and everything for a cursor of another run', async () => {
  const { client, live, changes } = setUp();
  await client.sending.send(mail);
  const first = await changes('');
  expect([first.subjects, first.more]).toEqual([['Welcome'], false]);
  expect((await changes(first.cursor)).subjects).toEqual([]);
  await client.sending.send({ ...mail, subject: 'Receipt' });
  expect((await changes(first.cursor)).subjects).toEqual(['Receipt']);
  expect((await changes(`another.${first.cursor.split('.')[1] ?? ''}`)).subjects).toEqual([
    'Receipt',
    'Welcome',
  ]);
  live.remove('1');
  const second = await changes(first.cursor);
  expect([second.deleted, second.subjects]).toEqual([['1'], ['Receipt']]);
  expect([live.restore('2'), live.restore('1')]).toEqual([false, true]);
  expect((await changes('')).subjects).toEqual(['Receipt', 'Welcome']);
});

test('a response that waited for a change has the request with its email', async () => {
  const { client, live, changes } = setUp();
  const { cursor } = await changes('');
  const waiting = live.changes(cursor, 60_000, new AbortController().signal);
  await client.sending.send(mail);
  const { report } = await waiting;
  expect([report.requests.length, report.mails.length]).toEqual([1, 1]);
});

test('many changes come in portions, the newest emails first', async () => {
  const { client, changes } = setUp();
  const requests = Array.from({ length: 500 }, (_, index) => ({
    to: 'ann@example.org',
    subject: `${index}`,
  }));
  for (let batch = 0; batch < 4; batch += 1)
    await client.sending.batch({ base: { from: mail.from, text: mail.text }, requests });
  const seen: string[] = [];
  const { subjects: first, cursor: second } = await changes('');
  expect([first.length, first[0], first.at(-1)]).toEqual([100, '499', '400']);
  let [cursor, portions, isMore] = [second, 0, true];
  while (isMore && portions < 9) {
    const { subjects, more, cursor: next } = await changes(cursor);
    seen.push(...subjects);
    [cursor, portions, isMore] = [next, portions + 1, more];
  }
  expect([seen.length, portions]).toEqual([2_000, 2]);
});

test('the clock counts the events that it would lead to: after its time, and none from before a reset', async () => {
  const { emulator, client, live } = setUp();
  await client.sending.send(mail);
  const now = emulator.clock.now();
  const { events } = live.due(now, now + 3_600_000);
  expect(events).toBe(2);
  const at = Array.from({ length: 600 }, (_, second) => now + second * 1_000).find(
    (time) => live.due(now, time).events === 1,
  );
  expect(at).toBeGreaterThan(now);
  expect(live.due(at ?? 0, now + 3_600_000).events).toBe(1);
  emulator.reset();
  expect(live.due(now, now + 3_600_000).events).toBe(0);
});
