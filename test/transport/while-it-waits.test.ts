import { AbortedError, ConfigurationError, TimeoutError, type EmailPlatformOptions } from 'email-platform';
import { describe, expect, test } from 'vitest';
import { rejection } from '../support/expect-error.ts';
import { json, scriptedFetch, silence, type Turn } from '../support/scripted-fetch.ts';
import { throughItsWaits, until, virtualClient } from '../support/virtual-client.ts';

const found = json(200, { data: { id: 1 } });
const limits = { token: { requests: 1, perMs: 60_000 } };

function setUp(turns: [Turn, ...Turn[]], options: EmailPlatformOptions) {
  const { fetch, sent } = scriptedFetch(...turns);
  return { ...virtualClient({ fetch, throttle: { limits }, retry: false, ...options }), sent };
}

describe('A hook that is called because a call is queued', () => {
  test('may abort that call, which then leaves the queue at once', async () => {
    const controller = new AbortController();
    const onThrottle = () => {
      controller.abort();
    };
    const { client, time, sent } = setUp([found], { hooks: { onThrottle } });
    await client.campaigns.get(1);
    const error = await rejection(client.campaigns.get(2, { signal: controller.signal }), AbortedError);
    expect(error.effect).toBe('none');
    expect(client.limits.snapshot().token?.waiting).toBe(0);
    expect([sent.length, time.pending]).toEqual([1, 0]);
  });

  test('may abort the call it waits for: its permit is neither lost nor used by a call that has ended', async () => {
    const controller = new AbortController();
    const { client } = setUp([found], {
      hooks: {
        onThrottle: () => {
          controller.abort();
        },
      },
    });
    const calls = [1, 2].map((id) => client.campaigns.get(id, { signal: controller.signal }));
    for (const call of calls) await rejection(call, AbortedError);
    expect(client.limits.snapshot().token).toMatchObject({ used: 0, waiting: 0 });
    expect(await client.campaigns.get(3)).toEqual({ id: 1 });
  });
});

describe('A token function', () => {
  const never = () => new Promise<string>(() => undefined);

  test.each<[string, EmailPlatformOptions, number, object]>([
    ['the deadline', { deadlineMs: 500 }, 500, { name: 'TimeoutError', kind: 'deadline' }],
    ['the timeout', { timeoutMs: 700 }, 700, { name: 'TimeoutError', kind: 'attempt' }],
  ])('that never settles is waited for until %s', async (_, options, ms, expected) => {
    const { client, time, sent } = setUp([found], { token: never, ...options });
    const failed = rejection(client.campaigns.get(1), TimeoutError);
    await until(() => time.pending > 0);
    await time.advance(ms);
    const error = await failed;
    expect(error).toMatchObject({ ...expected, effect: 'none', request: { attempts: 0 } });
    expect(error.message).toContain('token function');
    expect([sent.length, time.pending]).toEqual([0, 0]);
    expect(client.limits.snapshot().token?.used).toBe(0);
  });

  test('that never settles is waited for until the call is aborted', async () => {
    const { client, time } = setUp([found], { token: never });
    const controller = new AbortController();
    const failed = rejection(client.campaigns.get(1, { signal: controller.signal }), AbortedError);
    await until(() => time.pending === 1);
    controller.abort();
    expect(await failed).toMatchObject({ effect: 'none' });
    expect(client.limits.snapshot().token?.used).toBe(0);
  });

  test('that settles after its attempt has timed out changes nothing', async () => {
    const returns: ((token: string) => void)[] = [];
    const { client, time, sent } = setUp([found], {
      token: () => new Promise((resolve) => returns.push(resolve)),
      timeoutMs: 100,
      retry: { maxRetries: 1 },
    });
    const call = client.campaigns.get(1);
    await until(() => returns.length === 1);
    await time.advance(100);
    await until(() => time.pending === 1);
    time.fireNext();
    await until(() => returns.length === 2);
    returns[0]?.('too-late-token');
    returns[1]?.('second-token');
    await call;
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer second-token']);
  });

  test.each([undefined, 7, {}])('that returns %o causes a ConfigurationError', async (token) => {
    const { client } = setUp([found], { token: () => Promise.resolve(token as never) });
    await rejection(client.campaigns.get(1), ConfigurationError);
  });
});

test('The permit of a call aborted after a slow token function is returned one window after the timeout', async () => {
  const { client, time, sent } = setUp([silence], {
    throttle: { limits: { token: { requests: 1, perMs: 10_000 } } },
    timeoutMs: 30_000,
    token: () =>
      new Promise((resolve) => {
        time.setTimer(20_000, () => {
          resolve('slow-token');
        });
      }),
  });
  const controller = new AbortController();
  const failed = rejection(client.campaigns.get(1, { signal: controller.signal }), AbortedError);
  await until(() => time.pending === 2);
  await time.advance(20_000);
  await until(() => sent.length === 1);
  controller.abort();
  await failed;
  // Sent at 20 s, the request may be counted until 50 s, and for one window from then.
  await time.advance(39_999);
  expect(client.limits.snapshot().token?.used).toBe(1);
  await time.advance(10_001);
  expect(client.limits.snapshot().token?.used).toBe(0);
});

test('A call that was refused is the first to go when its pool opens', async () => {
  const order: string[] = [];
  const { fetch } = scriptedFetch(async ({ url }) => {
    order.push(url.split('/').pop() ?? '');
    if (order.length !== 2) return Response.json({ data: { id: 1 } });
    await new Promise<void>((resolve) => {
      time.setTimer(400, resolve);
    });
    return Response.json({ error: 'Throttled' }, { status: 429, headers: { 'retry-after': '1' } });
  });
  const { client, time } = virtualClient({
    fetch,
    throttle: { limits: { token: { requests: 3, perMs: 1_000 } } },
  });
  await client.campaigns.get(100);
  await throughItsWaits(time, Promise.all([1, 2, 3, 4, 5, 6].map((id) => client.campaigns.get(id))));
  expect(order.slice(0, 4)).toEqual(['100', '1', '2', '1']);
});
