import { EmailPlatform } from 'email-platform';
import type { Emulator } from 'email-platform/testing';
import { createHmac } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { withOwnTimers } from '../../../../support/own-timers.ts';
import { served } from '../../../tools/raw.ts';
import { start, still } from '../../../tools/wire.ts';

const MINUTE = 60_000;
const EVERY = [
  'delivery',
  'open',
  'click',
  'bounce',
  'soft_bounce',
  'spam_complaint',
  'unsubscribe',
  'reject',
];
const all = {
  url: 'https://shop.example.com/hooks',
  webhook_type: 'email_sending',
  sending_stream: 'transactional',
  event_types: EVERY,
} as const;

interface Posted {
  event: string;
  email: string;
  timestamp: number;
  event_id: string;
  [field: string]: unknown;
}

function setUp(webhooks: Emulator.WebhookOptions = {}, more: Emulator.Options = {}) {
  const emulator = still({ limits: false, webhooks, ...more });
  const client = new EmailPlatform({ ...emulator.clientOptions(), retry: false });
  const domain = emulator.domains.list()[0];
  const send = (to: string, stream: 'transactional' | 'bulk' = 'transactional') =>
    client.sending.send(
      {
        from: { email: `hello@${domain?.name}` },
        to: [{ email: to }],
        subject: 'Hi',
        text: 'Hello https://example.com/',
      },
      { stream },
    );
  const create = (params: Partial<EmailPlatform.WebhookCreateParams> = {}) =>
    client.webhooks.create({ ...all, ...params });
  const pass = async (ms: number) => {
    emulator.clock.advance(ms);
    await emulator.webhooks.settled();
  };
  const posts = () => emulator.webhooks.posts;
  const eventsOf = (body: string) => (JSON.parse(body) as { events: Posted[] }).events;
  const events = () => posts().flatMap(({ body }) => eventsOf(body));
  const names = () => events().map(({ event, email }) => `${event} ${email.split('@')[0]}`);
  return { emulator, client, domain, send, create, pass, posts, eventsOf, events, names };
}

describe('Events are posted', () => {
  test('half a minute after the first, together, signed, and each once', async () => {
    const { create, send, pass, posts, events } = setUp();
    const { id, signing_secret, url } = await create();
    await send('ann@example.org');
    await pass(20_000);
    await send('bounce+ben@example.org');
    await pass(10_999);
    expect(posts()).toEqual([]);
    // The first was delivered after a second.
    await pass(1);
    const [post] = posts();
    expect(post).toMatchObject({ webhookId: id, url, at: start + 31_000, attempt: 1, status: 200 });
    expect(post?.headers).toEqual({
      'content-type': 'application/json',
      'x-webhook-signature': createHmac('sha256', signing_secret)
        .update(post?.body ?? '')
        .digest('hex'),
    });
    expect(events().map(({ event, timestamp }) => [event, timestamp - start / 1000])).toEqual([
      ['delivery', 1],
      ['bounce', 21],
    ]);
    await pass(10 * MINUTE);
    // Opened after a minute, clicked after two.
    expect(posts().map(({ at }) => at - start)).toEqual([31_000, 90_000, 150_000]);
    expect(new Set(events().map(({ event_id }) => event_id)).size).toBe(4);
  });

  test('with what the log says of them', async () => {
    const { create, pass, emulator, events } = setUp();
    await create();
    const custom_variables = { order: '7' };
    for (const name of ['ann', 'soft-bounce', 'reject', 'spam'])
      emulator.logs.add({ to: `${name}@example.org`, category: 'orders', custom_variables });
    await pass(5 * MINUTE);
    const one = (event: string) => events().find((each) => each.event === event);
    expect(one('delivery')).toMatchObject({
      sending_stream: 'transactional',
      sending_domain_name: 'mail.example.com',
      category: 'orders',
      custom_variables,
    });
    expect(one('soft bounce')).toMatchObject({ response_code: 452, bounce_category: 'overquota' });
    expect(one('reject')).toHaveProperty('reason');
    expect(one('open')).toHaveProperty('user_agent');
    expect(one('click')).toMatchObject({ url: 'https://mail.example.com/' });
    expect(one('spam')).toMatchObject({ email: 'spam@example.org' });
    expect(one('spam_complaint')).toBeUndefined();
  });

  test('in posts of at most 500, or as many as is said', async () => {
    const { create, pass, emulator, posts } = setUp({ maxEvents: 3 });
    await create({ event_types: ['delivery'] });
    emulator.logs.addMany(Array.from({ length: 7 }, () => ({})));
    await pass(MINUTE);
    expect(posts().map(({ body }) => (JSON.parse(body) as { events: unknown[] }).events.length)).toEqual([
      3, 3, 1,
    ]);
    const usual = setUp();
    await usual.create({ event_types: ['delivery'] });
    usual.emulator.logs.addMany(Array.from({ length: 501 }, () => ({})));
    await usual.pass(MINUTE);
    expect(usual.posts()).toHaveLength(2);
  });

  test('as JSON lines', async () => {
    const { create, send, pass, posts } = setUp();
    await create({ payload_format: 'jsonlines' });
    await send('ann@example.org');
    await send('ben@example.org');
    await pass(MINUTE - 1);
    const [post] = posts();
    expect(post?.headers['content-type']).toBe('application/jsonl');
    expect(post?.body.split('\n').map((line) => (JSON.parse(line) as Posted).email)).toEqual([
      'ann@example.org',
      'ben@example.org',
    ]);
  });

  test('if the webhook is for their stream, domain and type', async () => {
    const { create, send, pass, names, posts, emulator } = setUp();
    const other = emulator.domains.add({ name: 'other.example.com' });
    const bulk = await create({ sending_stream: 'bulk', event_types: ['open'] });
    const elsewhere = await create({ domain_id: other });
    await send('ann@example.org');
    await send('ben@example.org', 'bulk');
    emulator.logs.add({ to: 'cy@example.org', domain_id: other });
    await pass(MINUTE - 1 + 31_000);
    expect(names()).toEqual(['delivery cy', 'open ben', 'open cy']);
    expect(new Set(posts().map(({ webhookId }) => webhookId))).toEqual(new Set([bulk.id, elsewhere.id]));
  });

  test('from when the webhook is there, until it is not; a paused one misses them', async () => {
    const { create, send, pass, names, client } = setUp();
    await send('ann@example.org');
    await pass(2000);
    const { id } = await create();
    await pass(88_000);
    // The delivery was before.
    expect(names()).toEqual(['open ann']);
    await client.webhooks.update(id, { active: false });
    await pass(MINUTE);
    await client.webhooks.update(id, { active: true });
    await send('ben@example.org');
    await pass(MINUTE);
    expect(names()).toEqual(['open ann', 'delivery ben']);
    await client.webhooks.delete(id);
    await pass(10 * MINUTE);
    expect(names()).toHaveLength(2);
  });

  test('that happen now, and none that were before', async () => {
    const { create, pass, names, emulator } = setUp();
    await create();
    emulator.logs.add({ to: 'now@example.org', events: [{ event_type: 'open' }] });
    const before = { event_type: 'open', created_at: start - 1 };
    emulator.logs.add({ to: 'past@example.org', sent_at: start - MINUTE, events: [before] });
    await pass(10 * MINUTE);
    expect(names()).toEqual(['open now']);
  });

  test('not to the webhooks of another account', async () => {
    const { create, emulator, posts, pass } = setUp();
    const token = emulator.createToken({ accountId: 7 });
    const stranger = new EmailPlatform({ ...emulator.clientOptions(), token, accountId: 7 });
    await stranger.webhooks.create(all);
    await create({ event_types: ['delivery'] });
    emulator.logs.add();
    await pass(MINUTE);
    expect(posts()).toHaveLength(1);
    expect(await stranger.webhooks.list().toArray()).toHaveLength(1);
  });

  test('when a test adds them, of types without a request', async () => {
    const { client, emulator, pass, events } = setUp();
    await client.webhooks.create({ url: all.url, webhook_type: 'audit_log' });
    await client.webhooks.create({ url: all.url, webhook_type: 'campaigns', event_types: ['open'] });
    emulator.webhooks.emit('audit_log', { event: 'activity_log.user.updated', timestamp: 5 });
    emulator.webhooks.emit('campaigns', { event: 'open', event_id: 'own' });
    await pass(30_000);
    expect(events()).toMatchObject([
      { event: 'activity_log.user.updated', timestamp: 5 },
      { event: 'open', event_id: 'own', timestamp: start / 1000 },
    ]);
  });

  test('about inbound mail, to webhooks of that inbox or of all inboxes', async () => {
    const { client, emulator, pass, posts } = setUp();
    const [one, other] = [emulator.inbound.add(), emulator.inbound.add()];
    const inbound = { url: all.url, webhook_type: 'inbound_receiving' } as const;
    const ofAll = await client.webhooks.create(inbound);
    const ofOne = await client.webhooks.create({ ...inbound, inbound_inbox_id: one.inboxId });
    expect([ofAll.inbound_inbox_id, ofOne.inbound_inbox_id]).toEqual([null, one.inboxId]);
    const [received] = emulator.inbound.receive({ to: one.address, from: 'Ann <ann@example.org>' });
    emulator.inbound.receive({ to: other.address.toUpperCase(), from: 'ann@example.org' });
    await pass(30_000);
    const counts = posts().map(({ webhookId, body }) => [webhookId, body.split('message_id').length - 1]);
    expect(counts).toEqual([
      [ofAll.id, 2],
      [ofOne.id, 1],
    ]);
    expect((JSON.parse(posts()[1]?.body ?? '') as { events: unknown[] }).events).toMatchObject([
      {
        event: 'inbound.message_received',
        inbox_id: one.inboxId,
        message_id: received?.messageId,
        from: 'Ann <ann@example.org>',
        timestamp: start,
      },
    ]);
  });
});

test('One event has another id for each webhook, and the same id however often it is posted', async () => {
  const answers = [500];
  const { client, create, send, emulator, pass, posts, eventsOf } = setUp({
    receive: () => new Response(null, { status: answers.shift() ?? 200 }),
  });
  const inbox = emulator.inbound.add();
  const inbound = { url: all.url, webhook_type: 'inbound_receiving' } as const;
  const ids: number[] = [];
  for (const params of [all, all, inbound, inbound]) ids.push((await client.webhooks.create(params)).id);
  await create({ sending_stream: 'bulk' });
  emulator.inbound.receive({ to: inbox.address, from: 'ann@example.org' });
  await send('ann@example.org');
  await pass(10 * MINUTE);
  const idsOf = (webhook: number) =>
    posts()
      .filter(({ webhookId }) => webhookId === webhook)
      .flatMap(({ body }) => eventsOf(body).map(({ event, event_id }) => `${event} ${event_id}`));
  const all4 = ids.map((id) => new Set(idsOf(id)));
  expect(all4.map(({ size }) => size)).toEqual([3, 3, 1, 1]);
  expect(new Set(all4.flatMap((each) => [...each])).size).toBe(8);
  expect(ids.flatMap(idsOf)).toHaveLength(9);
});

describe('A post that fails', () => {
  const statuses = (posts: readonly { status: number | null }[]) => posts.map(({ status }) => status);

  test('is repeated as it is, every five minutes, until it is received', async () => {
    const answers = [500, 204, 302, 200];
    const bodies: string[] = [];
    const receive = async (request: Request) => {
      bodies.push(await request.text());
      return new Response(null, { status: answers.shift() ?? 200 });
    };
    const { create, send, pass, posts } = setUp({ receive });
    await create({ event_types: ['delivery'] });
    await send('ann@example.org');
    await pass(31_000);
    for (let count = 0; count < 5; count += 1) await pass(5 * MINUTE);
    expect(posts().map(({ at, attempt, status }) => [at - start - 31_000, attempt, status])).toEqual([
      [0, 1, 500],
      [5 * MINUTE, 2, 204],
      [10 * MINUTE, 3, 302],
      [15 * MINUTE, 4, 200],
    ]);
    expect(new Set(bodies).size).toBe(1);
    expect(new Set(posts().map(({ headers }) => JSON.stringify(headers))).size).toBe(1);
  });

  test('41 times pauses its webhook; nothing is posted until it is resumed', async () => {
    const receive = vi.fn(() => new Response(null, { status: 503 }));
    const { create, send, pass, posts, client } = setUp({ receive });
    const { id } = await create({ event_types: ['delivery'] });
    await send('ann@example.org');
    await pass(31_000);
    for (let count = 0; count < 39; count += 1) await pass(5 * MINUTE);
    expect((await client.webhooks.get(id)).active).toBe(true);
    await pass(5 * MINUTE);
    expect(receive).toHaveBeenCalledTimes(41);
    expect((await client.webhooks.get(id)).active).toBe(false);
    await send('ben@example.org');
    await pass(60 * MINUTE);
    expect(posts()).toHaveLength(41);
    await client.webhooks.update(id, { active: true });
    await send('cy@example.org');
    await pass(31_000);
    expect(posts()).toHaveLength(42);
  });

  test('is repeated ten times in a day, after doubling waits, if it is about inbound mail', async () => {
    const { client, emulator, pass, posts } = setUp({ receive: () => Promise.reject(new Error('down')) });
    await client.webhooks.create({ url: all.url, webhook_type: 'inbound_receiving' });
    emulator.inbound.receive({ to: emulator.inbound.add().address, from: 'ann@example.org' });
    // All at once: each repetition is made at its own time.
    await pass(48 * 60 * MINUTE);
    expect(statuses(posts())).toEqual(Array(11).fill(null));
    const waits = posts().map(({ at }, index, before) => at - (before[index - 1]?.at ?? start));
    expect(waits.slice(1).every((wait, index) => index === 0 || wait === 2 * (waits[index] ?? 0))).toBe(true);
    const day = waits.slice(1).reduce((sum, wait) => sum + wait, 0) / (24 * 60 * MINUTE);
    expect(day).toBeCloseTo(1, 2);
  });

  test('is not repeated once its webhook is gone, or the emulator was reset', async () => {
    const down = { receive: () => new Response(null, { status: 500 }) };
    const { create, send, pass, posts, client } = setUp(down);
    const { id } = await create();
    await send('quiet@example.org');
    await pass(31_000);
    await client.webhooks.delete(id);
    await pass(60 * MINUTE);
    expect(posts()).toHaveLength(1);
    const other = setUp(down);
    await other.create();
    await other.send('ann@example.org');
    await other.pass(31_000);
    other.emulator.reset();
    await other.pass(60 * MINUTE);
    expect(other.posts()).toEqual([]);
  });

  test('with a receiver that does not respond takes half a minute of real time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { create, send, posts, emulator } = setUp({
        receive: () => new Promise(() => undefined),
        maxRetries: 0,
      });
      await create();
      await send('quiet@example.org');
      emulator.clock.advance(31_000);
      const settled = emulator.webhooks.settled();
      await vi.advanceTimersByTimeAsync(29_999);
      expect(posts()).toHaveLength(1);
      let isOver = false;
      void settled.then(() => (isOver = true));
      await vi.advanceTimersByTimeAsync(0);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await settled;
      expect(statuses(posts())).toEqual([null]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('Over the network', () => {
  test('posts are made only to this machine, and to hosts that are named', async () => {
    const reached: string[] = [];
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation((request) => {
      reached.push((request as Request).url);
      return Promise.resolve(new Response(null, { status: 200 }));
    });
    const { emulator, create, pass, posts } = setUp({ hosts: ['app'], maxRetries: 0 });
    await served(emulator);
    const odd = 'http://%zz:é@localhost/';
    for (const url of ['https://shop.example.com/', 'http://app:3000/a', 'http://u:p%40@localhost:5/b', odd])
      await create({ url, event_types: ['delivery'] });
    emulator.logs.add();
    await pass(MINUTE);
    fetched.mockRestore();
    expect(reached).toEqual(['http://app:3000/a', 'http://localhost:5/b']);
    expect(posts().map(({ status }) => status)).toEqual([null, 200, 200, null]);
  });

  test('an emulator without requests posts on its own, and keeps no process running', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    try {
      await withOwnTimers(async (pending) => {
        const receive = vi.fn(() => new Response(null, { status: 200 }));
        const { create, send, client, emulator } = setUp({ receive }, { now: () => Date.now() });
        await create({ event_types: ['delivery', 'click'] });
        await send('ann@example.org');
        await vi.advanceTimersByTimeAsync(30_999);
        expect(receive).not.toHaveBeenCalled();
        await vi.advanceTimersByTimeAsync(2);
        expect(receive).toHaveBeenCalledTimes(1);
        await vi.advanceTimersByTimeAsync(150_000);
        expect(receive).toHaveBeenCalledTimes(2);
        expect(pending()).toBe(0);

        // The earlier of two, after which nothing else of its webhook is to come.
        await client.webhooks.create({ url: all.url, webhook_type: 'audit_log' });
        emulator.logs.add({ to: 'quiet@example.org', events: [{ event_type: 'delivery' }] });
        await vi.advanceTimersByTimeAsync(10_000);
        emulator.webhooks.emit('audit_log', { event: 'activity_log.user.updated' });
        await vi.advanceTimersByTimeAsync(20_001);
        expect(receive).toHaveBeenCalledTimes(3);
        await vi.advanceTimersByTimeAsync(10_001);
        expect(receive).toHaveBeenCalledTimes(4);
        expect(pending()).toBe(0);
      });
    } finally {
      vi.useRealTimers();
    }
  });
});

test('a token needs permission to read and to change webhooks, and inbound mail', async () => {
  const { emulator } = setUp();
  const token = emulator.createToken({ permissions: { webhooks: 'viewer', inbound: 'none' } });
  const client = new EmailPlatform({ ...emulator.clientOptions(), token });
  expect(await client.webhooks.list().toArray()).toEqual([]);
  await expect(client.webhooks.create(all)).rejects.toMatchObject({ status: 403 });
  await expect(client.inbound.folders.list().toArray()).rejects.toMatchObject({ status: 403 });
});

test.each([
  ['https://shop.example.com:8443/hooks', {}, 422],
  ['http://shop.example.com:3000', {}, 422],
  ['https://shop.example.com:80/hooks', {}, 200],
  ['http://shop.example.com:443', {}, 200],
  ['http://127.0.0.1:3000', {}, 200],
  ['http://app.localhost:8443', {}, 200],
  ['http://app:3000', { hosts: ['app'] }, 200],
])(
  'as the service posts to port 443 or 80 only, a webhook to %s with %j gets %i',
  async (url, options, status) => {
    const { create } = setUp(options);
    const refused = { status, fieldErrors: { url: ['must use port 443 or 80'] } };
    if (status === 200) expect(await create({ url })).toMatchObject({ url });
    else await expect(create({ url })).rejects.toMatchObject(refused);
  },
);
