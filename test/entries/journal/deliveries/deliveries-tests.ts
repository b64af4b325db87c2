/** Tests of deliveries in any database. They use no test runner, so that a program can run them too. */
import assert from 'node:assert/strict';
import type {
  DatabaseJournal,
  Deliveries,
  DeliveriesOptions,
  Delivery,
  PostedEvent,
} from '../../../../src/entries/journal/index.ts';
import { claimOf } from '../claim-of.ts';

/** An empty database. */
export interface EmptyDatabase {
  readonly journal: DatabaseJournal;
  readonly deliveries: (options?: DeliveriesOptions) => Deliveries;
}

const START = Date.UTC(2026, 0, 1);

/** An event of a post. */
export const eventOf = (
  event_type: string,
  second: number,
  more: Partial<PostedEvent> = {},
): PostedEvent => ({
  kind: 'sending',
  event_type,
  event_id: `event ${event_type} ${second}`,
  occurredAt: new Date(START + second * 1_000),
  message_id: 'id 1',
  email: 'Ann@Example.org',
  sending_stream: 'transactional',
  ...more,
});

const keyed = { custom_variables: { idempotency_key: 'receipt/7', order: 7, secret: 'rosebud' } };

const first = async (deliveries: Deliveries, messageId = 'id 1'): Promise<Delivery> => {
  const [delivery] = await deliveries.of({ messageId });
  assert.ok(delivery, `the delivery of ${messageId}`);
  return delivery;
};

const all = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
};

export function testDeliveries(
  test: (name: string, run: () => Promise<void>) => unknown,
  create: () => EmptyDatabase | Promise<EmptyDatabase>,
): void {
  test('a late delivery does not overwrite a bounce', async () => {
    const deliveries = (await create()).deliveries();
    const bounce = eventOf('bounce', 5, {
      response: '550 no',
      response_code: 550,
      bounce_category: 'badmailbox',
    });
    assert.deepEqual(await deliveries.record([bounce]), { recorded: 1, repeated: 0, ignored: 0 });
    assert.deepEqual(await deliveries.record([eventOf('delivery', 1), bounce]), {
      recorded: 1,
      repeated: 1,
      ignored: 0,
    });
    const delivery = await first(deliveries);
    assert.equal(delivery.status, 'bounced');
    assert.equal(delivery.recipient, 'ann@example.org');
    assert.deepEqual(delivery.at, new Date(START + 5_000));
    assert.deepEqual(delivery.events, [
      { type: 'delivery', at: new Date(START + 1_000), code: null, category: null, text: null, url: null },
      {
        type: 'bounce',
        at: new Date(START + 5_000),
        code: '550',
        category: 'badmailbox',
        text: '550 no',
        url: null,
      },
    ]);
  });

  test('opens and clicks are counts, with the first and the last', async () => {
    const deliveries = (await create()).deliveries();
    const click = { url: 'https://example.com/a' };
    await deliveries.record([
      eventOf('open', 9),
      eventOf('open', 3),
      eventOf('click', 4, click),
      eventOf('open', 9),
      eventOf('open', 9, { event_id: 'another' }),
    ]);
    const { status, opens, clicks } = await first(deliveries);
    assert.equal(status, 'accepted');
    assert.deepEqual(opens, { count: 3, first: new Date(START + 3_000), last: new Date(START + 9_000) });
    assert.deepEqual(clicks, { count: 1, first: new Date(START + 4_000), last: new Date(START + 4_000) });
  });

  test('events without an id are told apart by type, second and link', async () => {
    const deliveries = (await create()).deliveries();
    const click = (second: number, url: string) => eventOf('click', second, { event_id: undefined, url });
    const counts = await deliveries.record([
      click(1, 'https://example.com/a'),
      click(1, 'https://example.com/b'),
      click(1, 'https://example.com/a'),
      click(2, 'https://example.com/a'),
      eventOf('open', 1, { event_id: undefined }),
    ]);
    assert.deepEqual(counts, { recorded: 4, repeated: 1, ignored: 0 });
    const { clicks, opens } = await first(deliveries);
    assert.deepEqual([clicks.count, opens.count], [3, 1]);
  });

  test('an event that came before the result of its send is kept, and joined', async () => {
    const deliveries = (await create()).deliveries();
    await deliveries.record([eventOf('delivery', 1)]);
    await deliveries.recordSent({ message_ids: ['id 1', 'id 2'] }, { key: 'receipt/7' });
    const found = await deliveries.of({ key: 'receipt/7' });
    assert.deepEqual(found.map(({ messageId, status, recipient }) => [messageId, status, recipient]).sort(), [
      ['id 1', 'delivered', 'ann@example.org'],
      ['id 2', 'accepted', null],
    ]);
    assert.deepEqual(await deliveries.of({ key: 'receipt/8' }), []);
  });

  test('the keys of the journal find their messages, and events settle them', async () => {
    const { journal, deliveries: make } = await create();
    const deliveries = make({ journal });
    await journal.store.claim([claimOf('receipt/7'), claimOf('receipt/8'), claimOf('receipt/9')]);
    await journal.store.record([
      { ...claimOf('receipt/8'), state: 'accepted', messageIds: ['id 8', 'id 9'] },
      { ...claimOf('receipt/9'), state: 'unknown', messageIds: [] },
    ]);
    assert.deepEqual(await deliveries.of({ key: 'receipt/7' }), []);
    await deliveries.record([
      eventOf('delivery', 1, keyed),
      eventOf('delivery', 2, { ...keyed, message_id: 'id 2' }),
      eventOf('bounce', 3, { message_id: 'id 9' }),
    ]);
    const [entry] = await journal.store.claim([claimOf('receipt/7', 'two')]);
    assert.equal(entry?.state, 'accepted');
    assert.deepEqual(entry.messageIds, ['id 1']);
    const statuses = async (key: string) =>
      (await deliveries.of({ key })).map(({ messageId, status }) => `${messageId} ${status}`).sort();
    assert.deepEqual(await statuses('receipt/7'), ['id 1 delivered', 'id 2 delivered']);
    assert.deepEqual(await statuses('receipt/8'), ['id 8 accepted', 'id 9 bounced']);
    assert.deepEqual(await statuses('receipt/9'), []);
    assert.equal((await deliveries.of({ key: 'receipt/8' }))[1]?.key, 'receipt/8');
  });

  test('without the journal no key is settled', async () => {
    const { journal, deliveries: make } = await create();
    await journal.store.claim([claimOf('receipt/7'), claimOf('receipt/8')]);
    await journal.store.record([{ ...claimOf('receipt/8'), state: 'accepted', messageIds: ['id 8'] }]);
    const deliveries = make();
    await deliveries.record([eventOf('delivery', 1, keyed)]);
    const [entry] = await journal.store.claim([claimOf('receipt/7', 'two')]);
    assert.equal(entry?.state, 'claimed');
    assert.deepEqual(await deliveries.of({ key: 'receipt/8' }), []);
  });

  test('events of other kinds are counted, and an event without a time has that of the post', async () => {
    const deliveries = (await create()).deliveries();
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    const untimed = eventOf('delivery', 1, { occurredAt: new Date(NaN) });
    const others = [
      { kind: 'audit', event_type: 'activity_log.x' },
      { kind: 'inbound', message_id: 'id 1' },
      eventOf('bounce', 1, { message_id: undefined }),
      eventOf('bounce', 1, { kind: 'unknown' }),
      eventOf('read_aloud', 1),
      { ...eventOf('bounce', 1), email_campaign_id: 7 },
    ];
    assert.deepEqual(await deliveries.record([untimed, ...others]), { recorded: 1, repeated: 0, ignored: 6 });
    assert.deepEqual(await deliveries.record([untimed]), { recorded: 0, repeated: 1, ignored: 0 });
    assert.deepEqual(await deliveries.record([]), { recorded: 0, repeated: 0, ignored: 0 });
    const { at, status, events } = await first(deliveries);
    assert.equal(status, 'delivered');
    assert.equal(events.length, 1);
    const ofNoCampaign = { ...eventOf('open', 2, { message_id: 'id 2' }), email_campaign_id: null };
    assert.deepEqual(await deliveries.record([ofNoCampaign]), { recorded: 1, repeated: 0, ignored: 0 });
    assert.ok(at !== null && at.getTime() >= before && at.getTime() <= Date.now());
  });

  test('lists by recipient, status and time, over pages', async () => {
    const deliveries = (await create()).deliveries();
    const events = Array.from({ length: 250 }, (_, index) =>
      eventOf(index % 50 === 0 ? 'bounce' : 'delivery', index, {
        // In another order than their events.
        message_id: `id ${1_000 + ((index * 7) % 250)}`,
        email: index % 2 === 0 ? 'ann@example.org' : 'ben@example.org',
      }),
    );
    assert.equal((await deliveries.record(events)).recorded, 250);
    const listed = await all(deliveries.list());
    assert.deepEqual(
      listed.map(({ messageId }) => messageId),
      events.map(({ message_id }) => message_id).reverse(),
    );
    assert.equal((await all(deliveries.list({ recipient: 'ANN@example.org' }))).length, 125);
    const since = new Date(START + 100_000);
    assert.equal((await all(deliveries.list({ since }))).length, 150);
    const some = await all(deliveries.list({ recipient: 'ann@example.org', status: 'bounced', since }));
    assert.deepEqual(
      some.map(({ messageId }) => messageId),
      ['id 1150', 'id 1050', 'id 1200'],
    );
  });

  for (const addresses of [{ hash: 'a secret of the shop' }, 'none'] as const) {
    const name = typeof addresses === 'string' ? addresses : 'hash';
    test(`addresses: ${name} keeps no address, and no text`, async () => {
      const deliveries = (await create()).deliveries({ addresses });
      await deliveries.record([
        eventOf('bounce', 1, { ...keyed, response: '550 <ann@example.org> is unknown', response_code: 550 }),
        eventOf('reject', 2, { reason: 'ann@example.org is suppressed' }),
        eventOf('click', 3, { url: 'https://example.com/?to=ann@example.org' }),
      ]);
      const delivery = await first(deliveries);
      assert.doesNotMatch(JSON.stringify(delivery), /ann@|rosebud/i);
      assert.deepEqual(
        delivery.events.map(({ code }) => code),
        ['550', null, null],
      );
      if (addresses === 'none') {
        assert.equal(delivery.recipient, null);
        assert.equal(await deliveries.forget({ recipient: 'ann@example.org' }), 0);
        return;
      }
      assert.match(delivery.recipient ?? '', /^[\da-f]{64}$/);
      assert.equal((await all(deliveries.list({ recipient: ' Ann@Example.ORG ' }))).length, 1);
      assert.equal(await deliveries.forget({ recipient: 'ann@EXAMPLE.org' }), 1);
      await deliveries.record([eventOf('delivery', 4)]);
      assert.equal((await first(deliveries)).recipient, null);
    });
  }

  test('a forgotten recipient stays forgotten, and the status stays', async () => {
    const deliveries = (await create()).deliveries({ variables: ['order'] });
    const bounce = eventOf('bounce', 1, { ...keyed, response: '550 ann@example.org' });
    await deliveries.record([bounce]);
    assert.deepEqual({ ...(await first(deliveries)).variables }, { order: 7 });
    assert.equal(await deliveries.forget({ recipient: 'ann@example.org' }), 1);
    assert.deepEqual(
      await deliveries.record([bounce, eventOf('click', 2, { url: 'https://e.org/ann@example.org' })]),
      {
        recorded: 1,
        repeated: 1,
        ignored: 0,
      },
    );
    await deliveries.record([eventOf('delivery', 3, { message_id: 'id 2' })]);
    const delivery = await first(deliveries);
    assert.doesNotMatch(JSON.stringify([delivery, await first(deliveries, 'id 2')]), /ann@/);
    assert.equal(delivery.status, 'bounced');
    assert.deepEqual(delivery.variables, {});
    assert.deepEqual(await all(deliveries.list({ recipient: 'ann@example.org' })), []);
  });

  test('an event that two webhooks report counts once, and two visitors count twice', async () => {
    const deliveries = (await create()).deliveries();
    const by = { ip: '192.0.2.7', user_agent: 'A program' };
    const post = async (event_id: string, more: Partial<PostedEvent>) => {
      const { recorded } = await deliveries.record([
        eventOf('click', 1, { event_id, url: 'https://e.org/Aa', ...more }),
      ]);
      return recorded;
    };
    assert.deepEqual([await post('a', by), await post('b', by)], [1, 0]);
    assert.equal(await post('c', { ...by, ip: '192.0.2.8' }), 1);
    assert.equal(await post('d', { ...by, user_agent: 'Another program' }), 1);
    assert.equal(await post('e', { ...by, url: 'https://e.org/BB' }), 1);
    assert.deepEqual([await post('f', {}), await post('g', {})], [1, 1]);
    const { clicks, events } = await first(deliveries);
    assert.deepEqual([clicks.count, events.length], [6, 6]);
  });

  const CANARY = /(ann|j\u00f6rg)@example\.org/iu;
  const withKey = (idempotency_key: string) => ({ custom_variables: { idempotency_key } });
  const left = async (deliveries: Deliveries) => JSON.stringify(await all(deliveries.list()));

  test('forget removes the address from keys of other messages, and later events do not bring it back', async () => {
    for (const key of ['receipt/ann@example.org', 'ANN@Example.org:7', 'newsann@example.org/2']) {
      const deliveries = (await create()).deliveries();
      const copy = eventOf('delivery', 1, { ...withKey(key), message_id: 'id 2', email: 'archive@e.org' });
      await deliveries.recordSent({ message_ids: ['id 1'] }, { key });
      await deliveries.record([copy]);
      assert.equal(await deliveries.forget({ recipient: 'ann@example.org' }), 2);
      await deliveries.record([
        eventOf('bounce', 2, { ...withKey(key), response: 'no ann@example.org' }),
        { ...copy, event_id: 'later' },
        { ...copy, message_id: 'id 3' },
      ]);
      await deliveries.recordSent({ message_ids: ['id 4'] }, { key });
      assert.doesNotMatch(await left(deliveries), CANARY);
      assert.equal((await first(deliveries, 'id 2')).recipient, 'archive@e.org');
    }
  });

  test('a message that turns out to be one of a forgotten recipient keeps a key without the address', async () => {
    const deliveries = (await create()).deliveries({ variables: ['order'] });
    await deliveries.forget({ recipient: 'ann@example.org' });
    for (const key of ['receipt/7', 'receipt/ann@example.org']) {
      const unnamed = eventOf('bounce', 1, {
        message_id: key,
        email: undefined,
        response: 'no ann@example.org',
      });
      await deliveries.record([{ ...unnamed, custom_variables: { idempotency_key: key, order: 7 } }]);
      await deliveries.record([eventOf('delivery', 2, { message_id: key })]);
    }
    const left = [await first(deliveries, 'receipt/7'), await first(deliveries, 'receipt/ann@example.org')];
    assert.deepEqual(
      left.map(({ key, recipient, variables, events }) => [
        key,
        recipient,
        { ...variables },
        events[0]?.text,
      ]),
      [
        ['receipt/7', null, {}, null],
        [null, null, {}, null],
      ],
    );
  });

  test('forget compares letters beyond ASCII without case and composition', async () => {
    const deliveries = (await create()).deliveries();
    const email = 'J\u00d6RG@example.org';
    await deliveries.record([
      eventOf('delivery', 1, { email, ...withKey(`receipt/${email}`) }),
      eventOf('delivery', 2, {
        email: email.normalize('NFD'),
        message_id: 'id 2',
        ...withKey(`a/${email.normalize('NFD')}`),
      }),
    ]);
    assert.equal(await deliveries.forget({ recipient: 'j\u00f6rg@example.org' }), 2);
    assert.doesNotMatch((await left(deliveries)).normalize('NFC'), CANARY);
  });

  test('forget finds rows from before a change of addresses', async () => {
    for (const addresses of [{ hash: 'a secret of the shop' }, 'none'] as const) {
      const { deliveries: make } = await create();
      const click = eventOf('click', 1, {
        ...withKey('to ann@example.org'),
        url: 'https://e.org/?ann@example.org',
      });
      await make().record([click]);
      assert.equal(await make({ addresses }).forget({ recipient: 'ann@example.org' }), 1);
      assert.doesNotMatch(await left(make()), CANARY);
      await make({ addresses }).record([{ ...click, event_id: 'later' }]);
      assert.doesNotMatch(await left(make()), CANARY);
    }
  });

  test('what is pruned does not come back, and keys stay', async () => {
    const { journal, deliveries: make } = await create();
    const deliveries = make({ journal });
    await journal.store.claim([claimOf('receipt/7')]);
    const posts = [eventOf('delivery', 1, keyed), eventOf('delivery', 9, { message_id: 'id 2' })];
    await deliveries.record(posts);
    assert.equal(await deliveries.prune({ before: new Date(START + 5_000) }), 1);
    assert.deepEqual(await deliveries.record(posts), { recorded: 0, repeated: 1, ignored: 1 });
    assert.deepEqual(await deliveries.of({ messageId: 'id 1' }), []);
    assert.equal((await first(deliveries, 'id 2')).status, 'delivered');
    const [entry] = await journal.store.claim([claimOf('receipt/7', 'two')]);
    assert.equal(entry?.state, 'accepted');
  });

  test('texts that a database refuses are recorded without what it refuses', async () => {
    const deliveries = (await create()).deliveries();
    const odd = 'a\0b\ud800c';
    await deliveries.record([
      eventOf('bounce', 1, {
        response: odd,
        event_id: odd,
        message_id: odd,
        bounce_category: odd,
        email: odd,
      }),
      eventOf('click', 1, {
        url: `https://e.org/${'x'.repeat(10_000)}`,
        custom_variables: { idempotency_key: odd },
      }),
      eventOf('open', 2, { event_id: 'x'.repeat(10_000), email: `${'x'.repeat(10_000)}@e.org` }),
    ]);
    const [delivery] = await all(deliveries.list({ status: 'bounced' }));
    assert.equal(delivery?.events[0]?.text, 'ab\ufffdc');
    for (const email of ['a\0b@e.org', 'a\ud800b@e.org', '\udc00@e.org']) {
      const odd_event = eventOf('delivery', 1, { email, message_id: 'odd', ip: email, user_agent: email });
      await deliveries.record([odd_event, eventOf('delivery', 1, { message_id: `beside ${email.length}` })]);
      await deliveries.forget({ recipient: email });
      assert.equal((await first(deliveries, 'odd')).recipient, null);
    }
    assert.equal((await first(deliveries)).events.length, 2);
  });

  test('namespaces are independent of each other', async () => {
    const { deliveries: make } = await create();
    const [one, other] = [make({ namespace: 'one' }), make({ namespace: 'other' })];
    await one.record([eventOf('delivery', 1)]);
    assert.deepEqual(await other.of({ messageId: 'id 1' }), []);
    assert.equal((await other.record([eventOf('bounce', 1)])).recorded, 1);
    assert.equal((await first(one)).status, 'delivered');
  });
}
