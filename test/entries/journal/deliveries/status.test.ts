/** The rule of the status, and the same history from any order of posts and the email log. */
import {
  createDeliveries,
  deliveryStatusOf,
  type Delivery,
  type DeliveryStatus,
  type PostedEvent,
} from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { EmailPlatform } from 'email-platform';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventOf } from './deliveries-tests.ts';
import { MemoryDeliveryStore } from './memory-store.ts';

/** The table of the guide, the strongest status first. */
const TABLE: readonly (readonly [DeliveryStatus, readonly string[]])[] = [
  ['complained', ['spam']],
  ['unsubscribed', ['unsubscribe']],
  ['bounced', ['bounce']],
  ['rejected', ['reject']],
  ['delivered', ['delivery']],
  ['delayed', ['soft_bounce', 'suspension']],
  ['accepted', ['open', 'click']],
];
const TYPES = TABLE.flatMap(([, types]) => types);

const byTable = (types: readonly string[]): DeliveryStatus =>
  TABLE.find(([, some]) => some.some((type) => types.includes(type)))?.[0] ?? 'accepted';

const permutationsOf = <T>(all: readonly T[]): T[][] =>
  all.length === 0
    ? [[]]
    : all.flatMap((one, index) =>
        permutationsOf([...all.slice(0, index), ...all.slice(index + 1)]).map((rest) => [one, ...rest]),
      );

describe('the status', () => {
  test('is that of the table, for every set of types in every order', () => {
    let tried = 0;
    for (let set = 0; set < 2 ** TYPES.length; set += 1) {
      const types = TYPES.filter((_, index) => set & (1 << index));
      if (types.length > 5) continue;
      for (const order of permutationsOf(types)) {
        expect(deliveryStatusOf(order)).toBe(byTable(types));
        tried += 1;
      }
    }
    expect(tried).toBe(18_730);
  });

  test('a type that is a property of every object is not an event', () => {
    expect(deliveryStatusOf(['constructor', 'toString', '__proto__', 'inbound'])).toBe('accepted');
  });
});

/** Records posts one after the other, and returns the delivery. */
async function recorded(posts: readonly (readonly PostedEvent[])[]) {
  const deliveries = createDeliveries(new MemoryDeliveryStore());
  const counts = [];
  for (const post of posts) counts.push(await deliveries.record(post));
  const [delivery] = await deliveries.of({ messageId: 'id 1' });
  return { delivery, counts };
}

test('all orders of posts, repeated and cut anywhere, have one delivery', async () => {
  const events = fc.uniqueArray(
    fc.record({ type: fc.constantFrom(...TYPES), second: fc.nat(3), id: fc.nat(5) }),
    { minLength: 1, maxLength: 6, selector: ({ id }) => id },
  );
  await fc.assert(
    fc.asyncProperty(
      events.chain((all) => {
        const posted = all.map(({ type, second, id }) => eventOf(type, second, { event_id: `event ${id}` }));
        const posts = fc.array(fc.shuffledSubarray(posted, { minLength: 1 }), { maxLength: 4 });
        return fc.tuple(
          fc.constant(posted),
          posts,
          fc.shuffledSubarray(posted, { minLength: posted.length }),
        );
      }),
      async ([posted, some, rest]) => {
        const { delivery } = await recorded([posted]);
        const inOrder = await recorded([...some, ...rest.map((event) => [event])]);
        expect(inOrder.delivery).toEqual(delivery);
        expect(delivery?.status).toBe(byTable(posted.map(({ event_type }) => String(event_type))));
        expect(inOrder.counts.reduce((sum, count) => sum + count.recorded, 0)).toBe(posted.length);
      },
    ),
  );
});

/** Every course of an email, and what a webhook subscribes to for it. */
const COURSES = [
  'ann',
  'bounce',
  'reject',
  'opted-out',
  'soft-bounce',
  'suspend',
  'delayed',
  'late-bounce',
  'spam',
  'unsubscribe',
  'open',
  'quiet',
  'stuck',
];
const SUBSCRIBED = [
  'delivery',
  'soft_bounce',
  'bounce',
  'suspension',
  'unsubscribe',
  'open',
  'spam_complaint',
  'click',
  'reject',
] as const;

const LOG_STATUS: Readonly<Record<DeliveryStatus, string>> = {
  complained: 'opted_out',
  unsubscribed: 'opted_out',
  bounced: 'not_delivered',
  rejected: 'not_delivered',
  delivered: 'delivered',
  delayed: 'enqueued',
  accepted: 'enqueued',
};

test('posts and the log tell the same of every course, in both orders, and once', async () => {
  const { readWebhook } = await import('email-platform/webhooks');
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  const { signing_secret: secret } = await client.webhooks.create({
    url: 'https://shop.example.com/hooks',
    webhook_type: 'email_sending',
    sending_stream: 'transactional',
    event_types: [...SUBSCRIBED],
  });
  for (const name of COURSES)
    await client.sending.send({
      from: 'hello@mail.example.com',
      to: `${name}@example.org`,
      subject: name,
      html: '<a href="https://shop.example.com/?a=1">Shop</a>',
    });
  emulator.clock.advance(3_600_000);
  await emulator.webhooks.settled();
  const posts = await Promise.all(
    emulator.webhooks.posts.map(({ body: payload, headers }) =>
      readWebhook({ payload, headers }, { secret }),
    ),
  );
  const since = new Date(emulator.clock.now() - 86_400_000);
  const events = posts.flat().length;
  expect(events).toBeGreaterThan(20);

  const [posted, logged, both, reversed] = Array.from({ length: 4 }, () =>
    createDeliveries(new MemoryDeliveryStore()),
  );
  for (const post of posts) {
    await posted?.record(post);
    await both?.record(post);
  }
  await logged?.backfill(client, { since });
  expect(await both?.backfill(client, { since })).toEqual({ recorded: 0, repeated: events, ignored: 0 });
  await reversed?.backfill(client, { since });
  for (const post of posts)
    expect(await reversed?.record(post)).toEqual({ recorded: 0, repeated: post.length, ignored: 0 });

  const { messages } = await client.emailLogs.list();
  expect(messages).toHaveLength(COURSES.length);
  for (const { message_id: messageId, status, opens_count, clicks_count } of messages) {
    const of = async (deliveries = posted) => (await deliveries?.of({ messageId }))?.[0];
    const ofLog = await of(logged);
    const hasPost = (ofLog?.events.length ?? 0) > 0;
    expect(LOG_STATUS[ofLog?.status ?? 'accepted']).toBe(status);
    expect([ofLog?.opens.count, ofLog?.clicks.count]).toEqual([opens_count, clicks_count]);
    expect(await of(both)).toEqual(await of(reversed));
    const told = (delivery: Delivery | undefined) => ({
      status: delivery?.status,
      opens: delivery?.opens,
      clicks: delivery?.clicks,
      events: delivery?.events.map(({ type, at, url }) => ({ type, at, url })),
    });
    if (hasPost) expect(told(await of())).toEqual(told(ofLog));
    expect(told(await of(both))).toEqual(told(ofLog));
  }
});
