import { EmailPlatform, RateLimitError, type EmailPlatformOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { Shares } from '../../../src/entries/proxy/shares.ts';
import { rejection } from '../../support/expect-error.ts';
import { json, scriptedFetch, silence } from '../../support/scripted-fetch.ts';
import { until, virtualRuntime } from '../../support/virtual-client.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { fromPage, pageClient, proxyOf } from './harness.ts';

const CAMPAIGN = '/api/api/email_campaigns/7';
const LIMITS = { token: { requests: 10, perMs: 8_000 }, stats: { requests: 4, perMs: 60_000 } };

function world(options: EmailPlatformOptions = {}, share?: number) {
  const { fetch, sent } = scriptedFetch(json(200, { data: { id: 7 } }));
  const time = new VirtualTime();
  const client = new EmailPlatform(
    { token: 't', hosts: { api: 'https://service.test' }, fetch, throttle: { limits: LIMITS }, ...options },
    virtualRuntime(time),
  );
  const { proxy, refusals } = proxyOf(client, {
    share,
    authorize: (request) => ({ visitor: request.headers.get('x-visitor') ?? 'ann' }),
  });
  const get = (visitor: string, path = CAMPAIGN) =>
    proxy(fromPage(path, { headers: { 'x-visitor': visitor } }));
  return { client, proxy, refusals, sent, time, get };
}

/** So many turns of the event loop that everything has happened that can without time passing. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('One visitor', () => {
  test('gets half of a limit, and the others the rest at once', async () => {
    const { get, sent, time } = world();
    const tab = Array.from({ length: 9 }, () => get('ann'));
    await until(() => sent.length === 5);
    await settle();
    expect(sent).toHaveLength(5);
    for (let n = 0; n < 3; n += 1) expect((await get('ben')).status).toBe(200);
    expect(sent).toHaveLength(8);
    await time.advance(8_000);
    expect((await Promise.all(tab)).map(({ status }) => status)).toEqual(Array(9).fill(200));
  });

  test('gets as much as is said', async () => {
    const { get, sent } = world({}, 1);
    await Promise.all(Array.from({ length: 10 }, () => get('ann')));
    expect(sent).toHaveLength(10);
  });

  test('has a share of each limit that a request counts against', async () => {
    const { get, refusals } = world();
    for (let n = 0; n < 2; n += 1)
      expect((await get('ann', '/api/api/stats?start_date=2026-01-01&end_date=2026-01-02')).status).toBe(200);
    const third = await get('ann', '/api/api/stats?start_date=2026-01-01&end_date=2026-01-02');
    expect(third.status).toBe(429);
    expect(third.headers.get('retry-after')).toBe('60');
    expect(refusals).toMatchObject([{ reason: 'share', operation: 'stats.get', status: 429 }]);
    expect((await get('ann')).status).toBe(200);
    expect((await get('ben', '/api/api/stats?start_date=2026-01-01&end_date=2026-01-02')).status).toBe(200);
  });

  test('has a share of the limits of its own client', async () => {
    const { client, sent, proxy, time } = world();
    const limits = { ...LIMITS, token: { requests: 4, perMs: 8_000 } };
    const own = client.withOptions({ token: 'of-ben', throttle: { limits } });
    const { proxy: ofBen } = proxyOf(client, { authorize: () => ({ visitor: 'ben', client: own }) });
    const tab = Array.from({ length: 3 }, () => ofBen(fromPage(CAMPAIGN)));
    await until(() => sent.length === 2);
    await settle();
    expect(sent).toHaveLength(2);
    expect((await proxy(fromPage(CAMPAIGN))).status).toBe(200);
    await time.advance(8_000);
    expect((await Promise.all(tab)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('is refused what would have to wait too long, and the page’s client says for how long', async () => {
    const { get, proxy } = world();
    void get('ann');
    for (let n = 0; n < 9; n += 1) void get('ann');
    const error = await rejection(pageClient(proxy).campaigns.get(7), RateLimitError);
    expect(error).toMatchObject({ retryAfterMs: 16_000, pool: 'token', effect: 'none' });
  });

  test('is refused what would have to wait beyond the deadline, of which `authorize` took a part', async () => {
    const { client, sent, time } = world({ deadlineMs: 7_000 });
    const { proxy, refusals } = proxyOf(client, {
      authorize: async () => {
        if (sent.length === 5) await time.sleep(3_000);
        return { visitor: 'ann' };
      },
    });
    for (let n = 0; n < 5; n += 1) expect((await proxy(fromPage(CAMPAIGN))).status).toBe(200);
    let retryAfter: string | null = null;
    void proxy(fromPage(CAMPAIGN)).then(({ headers }) => (retryAfter = headers.get('retry-after')));
    await time.advance(3_000);
    await settle();
    expect([retryAfter, sent.length]).toEqual(['5', 5]);
    expect(refusals).toMatchObject([{ reason: 'share', status: 429 }]);
  });

  test('has at most 50 requests under way, also without limits', async () => {
    const { get, sent } = world({ throttle: false, fetch: scriptedFetch(silence).fetch });
    for (let n = 0; n < 50; n += 1) void get('ann');
    expect((await get('ann')).status).toBe(429);
    expect(sent).toHaveLength(0);
  });

  test('has their places back once the requests are answered', async () => {
    const { get } = world({ throttle: false });
    for (let n = 0; n < 60; n += 1) expect((await get('ann')).status).toBe(200);
  });

  test('who has gone meanwhile causes no request', async () => {
    const { proxy, sent, time, get } = world();
    for (let n = 0; n < 5; n += 1) await get('ann');
    const gone = new AbortController();
    const waiting = proxy(fromPage(CAMPAIGN, { signal: gone.signal, headers: { 'x-visitor': 'ann' } }));
    await settle();
    gone.abort();
    await time.advance(8_000);
    expect((await waiting).status).toBe(503);
    await settle();
    expect(sent).toHaveLength(5);
  });
});

describe('Shares', () => {
  const limit = [{ pool: 'token', requests: 4, perMs: 1_000 }];

  test('are never exceeded in any window', () => {
    const shares = new Shares(0.5);
    const times: number[] = [];
    let now = 0;
    for (let n = 0; n < 500; n += 1) {
      now += (n * 37) % 400;
      const waitMs = shares.enter('ann', limit, now);
      if (waitMs > 10_000) continue;
      times.push(now + waitMs);
      shares.leave('ann');
    }
    expect(times.length).toBeGreaterThan(100);
    for (const [index, time] of times.entries()) {
      const next = times[index + 2];
      if (next !== undefined) expect(next - time).toBeGreaterThanOrEqual(1_000);
    }
  });

  test('are one for a limit of one', () => {
    const shares = new Shares(0.1);
    expect(shares.enter('ann', limit, 0)).toBe(0);
    expect(shares.enter('ann', limit, 0)).toBe(1_000);
  });

  test('are remembered until the longest limit no longer counts a request', () => {
    const shares = new Shares(0.25);
    const limits = [...limit, { pool: 'stats', requests: 4, perMs: 120_000 }];
    expect(shares.enter('ann', limits, 0)).toBe(0);
    shares.leave('ann');
    shares.enter('ben', limits, 61_000);
    expect(shares.enter('ann', limits, 62_000)).toBe(58_000);
  });

  test('are forgotten once they no longer count', () => {
    const shares = new Shares(1);
    for (let n = 0; n < 1_000; n += 1) {
      shares.enter(`visitor ${n}`, limit, n);
      shares.leave(`visitor ${n}`);
    }
    shares.enter('waiting', limit, 1_000);
    expect(shares.size).toBe(1_001);
    shares.enter('ann', limit, 120_000);
    expect(shares.size).toBe(2);
  });
});
