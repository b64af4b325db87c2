import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import type { WebhookEvent } from 'email-platform/webhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keepGlobals } from '../../support/kept-globals.ts';
import { receivers, type Receiver } from '../../support/receivers.ts';
import { delivery, signatureOf } from '../../support/signed.ts';

// Hono's server replaces them.
keepGlobals('Request', 'Response');

const START = Date.parse('2026-03-01T12:00:00.000Z');
const MINUTE = 60_000;

/** An emulator on a port, a client that calls it there, and a receiver on another port that keeps what is new to it. */
async function setUp(start: (typeof receivers)['Express'], format: 'json' | 'jsonlines' = 'json') {
  const emulator = createEmulator({ now: () => START, limits: false });
  const server = await emulator.listen({ port: 0 });
  const { signatureHeader } = emulator.webhooks;
  let secret = '';
  let failures = 0;
  const seen = new Set<string>();
  const handled: WebhookEvent[] = [];
  const receiver: Receiver = await start({
    secret: () => secret,
    handle: (events) => {
      for (const event of events) {
        const id = String(event.event_id);
        if (seen.has(id)) continue;
        handled.push(event);
        seen.add(id);
      }
      // Everything was done, and only the response is lost.
      if (failures-- > 0) throw new Error('down');
    },
  });
  onTestFinished(async () => {
    await receiver.close();
    await server.close();
  });
  const client = new EmailPlatform({ ...server.clientOptions(), retry: false });
  ({ signing_secret: secret } = await client.webhooks.create({
    url: receiver.url,
    webhook_type: 'email_sending',
    sending_stream: 'transactional',
    payload_format: format,
    event_types: ['delivery', 'open', 'click', 'spam_complaint', 'soft_bounce'],
  }));
  const pass = async (ms: number) => {
    emulator.clock.advance(ms);
    await emulator.webhooks.settled();
  };
  const post = async (body: string, signature: string | undefined) => {
    const headers = {
      'content-type': 'application/json',
      ...(signature && { [signatureHeader]: signature }),
    };
    return (await fetch(receiver.url, { method: 'POST', body, headers })).status;
  };
  return {
    emulator,
    client,
    handled,
    pass,
    post,
    secret: () => secret,
    fail: (times: number) => (failures = times),
    signatureHeader,
  };
}

const mailTo = (email: string) => ({
  from: { email: 'hello@mail.example.com' },
  to: [{ email }],
  subject: 'Your order',
  text: 'See https://shop.example.com/orders/7',
});

describe.each(Object.entries(receivers))('A receiver on %s', (_, start) => {
  test('hears of one email from its delivery to a click, as the log tells it', async () => {
    const { client, emulator, handled, pass } = await setUp(start);
    const { message_ids } = await client.sending.send(mailTo('ann@example.org'));
    await client.sending.send(mailTo('spam+ben@example.org'));
    // One after the other: posts that are due together arrive in any order.
    for (let minute = 0; minute < 5; minute += 1) await pass(MINUTE);
    expect(emulator.webhooks.posts.map(({ status }) => status)).toEqual([200, 200, 200]);
    const own = handled.flatMap((event) =>
      event.kind === 'sending' && event.message_id === message_ids[0] ? [event] : [],
    );
    const { events } = await client.emailLogs.get(message_ids[0] ?? '');
    expect(own.map(({ event_type, occurredAt }) => [event_type, occurredAt.toISOString()])).toEqual(
      events.map(({ event_type, created_at }) => [event_type, created_at]),
    );
    expect(own.map(({ event_type }) => event_type)).toEqual(['delivery', 'open', 'click']);
    const click = own.find((event) => event.event_type === 'click');
    expect(click?.url).toBe('https://shop.example.com/orders/7');
    expect(handled.filter(({ event_type }) => event_type === 'spam')).toHaveLength(1);
  });

  test('hears of everything once, although posts are repeated', async () => {
    const { client, emulator, handled, pass, fail } = await setUp(start, 'jsonlines');
    fail(2);
    await client.sending.send(mailTo('quiet@example.org'));
    await pass(31_000);
    await pass(5 * MINUTE);
    await pass(5 * MINUTE);
    expect(emulator.webhooks.posts.map(({ status }) => status)).toEqual([500, 500, 200]);
    expect(handled.map(({ event_type }) => event_type)).toEqual(['delivery']);
  });

  test('takes a post of 500 events, larger than frameworks allow by default', async () => {
    const { emulator, handled, pass } = await setUp(start);
    const custom_variables = { note: 'é'.repeat(400) };
    emulator.logs.addMany(Array.from({ length: 500 }, () => ({ to: 'quiet@example.org', custom_variables })));
    await pass(31_000);
    expect(emulator.webhooks.posts[0]?.body.length).toBeGreaterThan(300_000);
    expect(emulator.webhooks.posts.map(({ status }) => status)).toEqual([200]);
    expect(handled).toHaveLength(500);
  });

  test('refuses what is forged, cut or written anew, and recognizes what is sent again', async () => {
    const { client, emulator, handled, pass, post, secret, signatureHeader } = await setUp(start);
    await client.sending.send(mailTo('quiet@example.org'));
    await pass(31_000);
    const [original] = emulator.webhooks.posts;
    const body = original?.body ?? '';
    const signature = original?.headers[signatureHeader] ?? '';
    const forged = JSON.stringify({ events: [{ ...delivery, event: 'spam' }] });
    expect(await post(forged, signature)).toBe(401);
    expect(await post(forged, signatureOf(forged, 'a guess'))).toBe(401);
    expect(await post(forged, undefined)).toBe(401);
    expect(await post(body.slice(0, -1), signature)).toBe(401);
    expect(await post(JSON.stringify(JSON.parse(body), null, 1), signature)).toBe(401);
    expect(await post(body, signature.slice(1))).toBe(401);
    expect(handled).toHaveLength(1);
    // Recorded and sent again: its signature is right, and its events are known.
    expect(await post(body, signature)).toBe(200);
    expect(handled).toHaveLength(1);
    const broken = body.slice(0, -1);
    expect(await post(broken, signatureOf(broken, secret()))).toBe(400);
    // Real all the same: the receiver works.
    expect(await post(forged, signatureOf(forged, secret()))).toBe(200);
    expect(handled).toHaveLength(2);
  });
});
