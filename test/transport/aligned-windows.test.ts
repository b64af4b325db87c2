import { expect, test } from 'vitest';
import { throughItsWaits, virtualClient, WALL_START } from '../support/virtual-client.ts';

const limits = { token: { requests: 2, perMs: 10_000 } };

/** A client in virtual time; `answer` gives the status of the nth request. */
function clientOf(answer: (nth: number) => number) {
  const lines: unknown[] = [];
  const sentAt: number[] = [];
  const log = (level: string) => (fields: object, message: string) =>
    lines.push({ level, message, ...('pool' in fields && { pool: fields.pool }) });
  const { client, time } = virtualClient({
    throttle: { limits, windows: 'aligned' },
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    logLevel: 'warn',
    fetch: () => {
      sentAt.push(time.now());
      const headers = {
        'content-type': 'application/json',
        date: new Date(WALL_START + time.now()).toUTCString(),
        'x-ratelimit-remaining': '1',
      };
      const status = answer(sentAt.length);
      return Promise.resolve(
        new Response(status === 429 ? '{"error":"Throttled"}' : '{"data":{"id":7}}', { status, headers }),
      );
    },
  });
  const get = (count: number) =>
    throughItsWaits(time, Promise.all(Array.from({ length: count }, () => client.campaigns.get(7))));
  return { client, time, get, lines, sentAt };
}

test('The Date of responses shows when a window is over', async () => {
  const { client, time, get, sentAt } = clientOf(() => 200);
  time.stall(7_000);
  await get(4);
  // The rule would wait until 17 seconds.
  expect(sentAt).toEqual([7_000, 7_000, 11_000, 11_000]);
  expect(client.limits.snapshot().token?.windows).toBe('aligned');
});

test('A 429 makes the windows of its pool unknown, and a line of the log says so', async () => {
  const { client, time, get, lines, sentAt } = clientOf((nth) => (nth === 3 ? 429 : 200));
  time.stall(7_000);
  await get(3);
  expect(sentAt.slice(0, 3)).toEqual([7_000, 7_000, 11_000]);
  const { token, stats } = client.limits.snapshot();
  expect([token?.windows, stats?.windows]).toEqual(['unknown', 'aligned']);
  expect(lines).toContainEqual({
    level: 'warn',
    message: 'campaigns.get: was refused, so the windows of its limit count as unknown for an hour',
    pool: 'token',
  });
  expect(lines).toHaveLength(2);
});

test('A 429 changes nothing where windows are unknown anyway', async () => {
  const { client, time, get, lines } = clientOf((nth) => (nth === 1 ? 429 : 200));
  const other = client.withOptions({ throttle: { limits } });
  await throughItsWaits(time, other.campaigns.get(7));
  expect(other.limits.snapshot().token).not.toHaveProperty('windows');
  expect(lines).toHaveLength(1);
  await get(1);
});
