/** The contract of a store of deliveries, as tests for your own store. */
import type { DeliveryStatus } from '../../entries/journal/deliveries/status.ts';
import type {
  DeliveryEventRecord,
  DeliveryRecord,
  DeliveryStore,
  DeliveryTrace,
  StoredDelivery,
} from '../../entries/journal/deliveries/types.ts';
import { expectEqual } from './journal-checks.ts';
import type { TestFunction } from './journal-contract.ts';

const NAMESPACE = 'contract';

/** All statuses. Each outranks those before it. */
const STATUSES = 'accepted delayed delivered rejected bounced unsubscribed complained'.split(
  ' ',
) as DeliveryStatus[];

const eventOf = (identity: string, more: Partial<DeliveryEventRecord> = {}): DeliveryEventRecord => ({
  identity,
  moment: `moment of ${identity}`,
  type: 'delivery',
  at: 1_000,
  isUntimed: false,
  code: null,
  category: null,
  text: null,
  url: null,
  ...more,
});

const recordOf = (messageId: string, more: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  messageId,
  key: null,
  recipient: null,
  recipientIds: [],
  keyIds: [],
  stream: null,
  status: 'accepted',
  statusAt: 1_000,
  lastAt: 1_000,
  variables: null,
  events: [],
  ...more,
});

const ANN = { recipient: 'ann@example.org', recipientIds: ['another hash', 'hash of ann'] };
const FORGET_ANN = {
  recipients: ['mac of ann', ANN.recipient],
  recipientId: 'hash of ann',
  isIn: (key: string) => key.toLowerCase().includes(ANN.recipient),
};
const TOLD = { text: 'no ann@example.org', url: 'https://a/?ann@example.org' };

/** Everything that a store shows of a message and may not show once its recipient is forgotten. */
const shownOf = (stored: StoredDelivery | undefined) => [
  stored?.recipient,
  stored?.key,
  stored?.variables,
  ...new Set(stored?.events.flatMap(({ text, url }) => [text, url])),
];
const NOTHING = [null, null, null, null];

/** All permutations of a list. */
const permutationsOf = <T>(all: readonly T[]): T[][] =>
  all.length === 0
    ? [[]]
    : all.flatMap((one, index) => permutationsOf(all.toSpliced(index, 1)).map((rest) => [one, ...rest]));

async function one(store: DeliveryStore, messageId: string): Promise<StoredDelivery | undefined> {
  return (await store.get(NAMESPACE, [messageId]))[0];
}

const identitiesOf = (stored: StoredDelivery | undefined) =>
  (stored?.events ?? []).map(({ identity }) => identity).sort();

const tracesOf = (traces: readonly DeliveryTrace[]) =>
  traces.map(({ messageId, identity, isNew }) => `${messageId} ${identity} ${isNew}`).sort();

const idsOf = (all: readonly StoredDelivery[]) => all.map(({ messageId }) => messageId);

/**
 * Tests a store of deliveries: one test for each property that deliveries need. `createStore` makes an empty store for
 * each test.
 *
 * @example
 * ```ts
 * import { test } from 'node:test';
 * deliveriesContract(test, () => myStore(new Database(':memory:')));
 * ```
 */
export function deliveriesContract(
  test: TestFunction,
  createStore: () => DeliveryStore | Promise<DeliveryStore>,
): void {
  const check = (name: string, run: (store: DeliveryStore) => Promise<void>) =>
    void test(`delivery store: ${name}`, async () => run(await createStore()));

  const told = { key: 'for/Ann@example.org', variables: { a: 1 }, events: [eventOf('id 1', TOLD)] };
  const annsMessage = recordOf('m', { ...ANN, ...told });

  check('a message is kept whole, with its events', async (store) => {
    const texts = { text: 'it\'s "x" \u{1f600}', url: 'https://a/' };
    const event = eventOf('id 1', { code: '550', category: 'badmailbox', ...texts });
    const more = { key: 'k', stream: 'bulk', variables: { order: 7 }, events: [event] };
    const traces = await store.record(NAMESPACE, [recordOf('m', { ...ANN, ...more })]);
    expectEqual(tracesOf(traces), ['m id 1 true'], 'the traces');
    expectEqual(traces[0]?.moment, event.moment, 'the moment of the trace');
    const [stored = annsMessage] = await store.get(NAMESPACE, ['m']);
    const { messageId, status, statusAt, lastAt, key, recipient, stream, variables, events } = stored;
    expectEqual([messageId, status, statusAt, lastAt], ['m', 'accepted', 1_000, 1_000], 'the message');
    expectEqual(
      [key, recipient, stream, variables],
      ['k', ANN.recipient, 'bulk', { order: 7 }],
      'its values',
    );
    const { identity, moment, type, at, isUntimed, code, category, text, url } = events[0] ?? event;
    expectEqual({ identity, moment, type, at, isUntimed, code, category, text, url }, event, 'the event');
    expectEqual(await store.get(NAMESPACE, ['other']), [], 'a message that is not there');
  });

  check('an event is added once, and its repetition is traced as known', async (store) => {
    const record = recordOf('m', { events: [eventOf('id 1'), eventOf('id 2')] });
    await store.record(NAMESPACE, [record]);
    const traces = await store.record(NAMESPACE, [{ ...record, events: [eventOf('id 2'), eventOf('id 3')] }]);
    expectEqual(tracesOf(traces), ['m id 2 false', 'm id 3 true'], 'the traces');
    expectEqual(identitiesOf(await one(store, 'm')), ['id 1', 'id 2', 'id 3'], 'the events');
  });

  check('the other events of the same moment are traced too', async (store) => {
    const moment = 'delivery 1';
    await store.record(NAMESPACE, [recordOf('m', { events: [eventOf('id 1', { moment })] })]);
    await store.record(NAMESPACE, [recordOf('n', { events: [eventOf('id 2', { moment })] })]);
    const traces = await store.record(NAMESPACE, [recordOf('m', { events: [eventOf('at', { moment })] })]);
    expectEqual(tracesOf(traces), ['m at true', 'm id 1 false'], 'the traces');
  });

  check('the strongest status stays with its first time, and the last time, in any order', async (store) => {
    const statuses = [
      recordOf('m', { status: 'delivered', statusAt: 2_000, lastAt: 2_000 }),
      recordOf('m', { status: 'bounced', statusAt: 4_000, lastAt: 4_000 }),
      recordOf('m', { status: 'bounced', statusAt: 3_000, lastAt: 3_000 }),
      recordOf('m', { status: 'accepted', statusAt: 1_000, lastAt: 5_000 }),
    ];
    for (const [index, order] of permutationsOf(statuses).entries()) {
      for (const record of order) await store.record(NAMESPACE, [{ ...record, messageId: `m ${index}` }]);
      const { status, statusAt, lastAt } = (await one(store, `m ${index}`)) ?? {};
      expectEqual([status, statusAt, lastAt], ['bounced', 3_000, 5_000], `order ${index}`);
    }
  });

  check('of two statuses, the one that outranks the other stays', async (store) => {
    for (const [index, status] of STATUSES.slice(1).entries()) {
      const weaker = recordOf(status, { status: STATUSES[index] ?? 'accepted' });
      for (const record of [weaker, recordOf(status, { status }), weaker])
        await store.record(NAMESPACE, [record]);
      expectEqual((await one(store, status))?.status, status, `${status} before and after a weaker status`);
    }
  });

  check('what is null is set by a later record, and what is set stays', async (store) => {
    await store.record(NAMESPACE, [recordOf('m', { key: 'k' })]);
    await store.record(NAMESPACE, [recordOf('m', { ...ANN, stream: 'bulk', variables: { a: 1 } })]);
    const others = { recipient: 'ben', key: 'l', stream: 'transactional', variables: { a: 2 } };
    await store.record(NAMESPACE, [recordOf('m', others)]);
    const { key, recipient, stream, variables } = (await one(store, 'm')) ?? {};
    expectEqual([key, recipient, stream, variables], ['k', ANN.recipient, 'bulk', { a: 1 }], 'the message');
  });

  check('of a record that fails, nothing is stored', async (store) => {
    const broken = Object.defineProperty(recordOf('n'), 'lastAt', { get: () => JSON.parse('{') as number });
    const failed = async () => store.record(NAMESPACE, [recordOf('m'), broken]);
    expectEqual(await failed().then(String, () => 'failed'), 'failed', 'a message that cannot be read');
    expectEqual(idsOf(await store.get(NAMESPACE, ['m', 'n'])), [], 'the messages of a record that failed');
  });

  check('messages are found by key, in their namespace', async (store) => {
    await store.record(NAMESPACE, [recordOf('m', { key: 'k' }), recordOf('n', { key: 'k' }), recordOf('o')]);
    await store.record('other', [recordOf('p', { key: 'k' }), recordOf('m', { status: 'bounced' })]);
    expectEqual(idsOf(await store.withKey(NAMESPACE, 'k')).sort(), ['m', 'n'], 'the messages');
    expectEqual((await one(store, 'm'))?.status, 'accepted', 'the status');
    expectEqual(idsOf(await store.withKey(NAMESPACE, 'K')), [], 'the messages of another key');
  });

  check('a list is by the last event, and goes on after a position', async (store) => {
    const records = ['a', 'b', 'c', 'd', 'e'].map((id, index) =>
      recordOf(id, {
        ...(id === 'd' ? {} : ANN),
        lastAt: 1_000 * Math.min(index, 3),
        status: id === 'c' ? 'bounced' : 'delivered',
      }),
    );
    await store.record(NAMESPACE, records);
    await store.record('other', [recordOf('z', { ...ANN, lastAt: 9_000 })]);
    const list = async (filters: Partial<Parameters<DeliveryStore['list']>[1]>) =>
      idsOf(await store.list(NAMESPACE, { limit: 10, ...filters })).join('');
    expectEqual(await list({}), 'edcba', 'all');
    expectEqual(await list({ limit: 2 }), 'ed', 'two');
    expectEqual(await list({ after: { lastAt: 3_000, messageId: 'e' } }), 'dcba', 'after e');
    expectEqual(await list({ after: { lastAt: 2_000, messageId: 'c' }, limit: 1 }), 'b', 'one after c');
    expectEqual(await list({ since: 2_000 }), 'edc', 'since');
    expectEqual(await list({ status: 'bounced' }), 'c', 'by status');
    expectEqual(await list({ recipient: ANN.recipient }), 'ecba', 'by recipient');
    expectEqual(await list({ recipient: ANN.recipient, status: 'delivered', since: 1_000 }), 'eb', 'by all');
  });

  const bensCopy = recordOf('n', { ...annsMessage, messageId: 'n', recipient: 'ben', recipientIds: ['ben'] });

  check('a forgotten recipient is removed in every form, and nothing else', async (store) => {
    const ben = { ...bensCopy, key: 'for/ben@example.org' };
    const hashed = recordOf('h', { ...annsMessage, messageId: 'h', recipient: 'mac of ann' });
    await store.record(NAMESPACE, [annsMessage, ben, hashed]);
    await store.record('other', [annsMessage]);
    expectEqual(await store.forget(NAMESPACE, FORGET_ANN), 2, 'the number of messages');
    for (const id of ['m', 'h']) expectEqual(shownOf(await one(store, id)), NOTHING, `what is left of ${id}`);
    const { status, lastAt, events } = (await one(store, 'm')) ?? {};
    expectEqual([status, lastAt, events?.length], ['accepted', 1_000, 1], 'status, time and events');
    const kept = shownOf(await one(store, 'n'));
    expectEqual(kept, ['ben', ben.key, { a: 1 }, TOLD.text, TOLD.url], 'a message to another');
    expectEqual((await store.get('other', ['m']))[0]?.recipient, ANN.recipient, 'another namespace');
    const list = await store.list(NAMESPACE, { recipient: ANN.recipient, limit: 9 });
    expectEqual(list, [], 'the list of a forgotten recipient');
  });

  check('a key with a forgotten address is removed from every message', async (store) => {
    await store.record(NAMESPACE, [bensCopy, { ...annsMessage, recipient: null, recipientIds: [] }]);
    expectEqual(await store.forget(NAMESPACE, FORGET_ANN), 2, 'the number of messages');
    expectEqual(shownOf(await one(store, 'm')), NOTHING, 'a message without a recipient');
    const kept = shownOf(await one(store, 'n'));
    expectEqual(kept, ['ben', null, { a: 1 }, TOLD.text, TOLD.url], 'the copy to another');
    await store.record(NAMESPACE, [
      { ...bensCopy, keyIds: ['ben', 'hash of ann'] },
      { ...bensCopy, messageId: 'later', keyIds: ['hash of ann'] },
    ]);
    for (const id of ['n', 'later']) expectEqual((await one(store, id))?.key, null, `the later key of ${id}`);
  });

  check('later records do not bring a forgotten recipient back', async (store) => {
    const unknown = { recipient: null, recipientIds: [], key: 'call ann@', variables: { a: 1 } };
    await store.record(NAMESPACE, [annsMessage, { ...annsMessage, ...unknown, messageId: 'turns out' }]);
    await store.forget(NAMESPACE, FORGET_ANN);
    const ids = ['m', 'later', 'turns out'];
    const again = { ...annsMessage, events: [eventOf('id 1', TOLD), eventOf('id 2', TOLD)] };
    // An event without its address belongs to a message of the recipient.
    for (const one of [again, { ...again, ...unknown, events: [eventOf('id 3', TOLD)] }]) {
      const records = ids.map((messageId) => ({ ...one, messageId }));
      await store.record(NAMESPACE, records);
    }
    for (const id of ids) {
      expectEqual(shownOf(await one(store, id)), NOTHING, `what is recorded later of ${id}`);
      expectEqual(identitiesOf(await one(store, id)), ['id 1', 'id 2', 'id 3'], `the events of ${id}`);
    }
    await store.record(NAMESPACE, [recordOf('m', { key: 'k' })]);
    expectEqual((await one(store, 'm'))?.key, 'k', 'a later key without an address');
    await store.record('other', [annsMessage]);
    expectEqual((await store.get('other', ['m']))[0]?.recipient, ANN.recipient, 'another namespace');
  });

  check('nothing is left of a recipient who is forgotten while records run', async (store) => {
    const ids = Array.from({ length: 20 }, (_, index) => `m ${100 + index}`);
    const post = (messageId: string) =>
      store.record(NAMESPACE, [{ ...annsMessage, messageId, keyIds: ['hash of ann'] }]);
    await Promise.all([...ids.slice(10).map(post), store.forget(NAMESPACE, FORGET_ANN), ...ids.map(post)]);
    for (const id of ids) expectEqual(shownOf(await one(store, id)), NOTHING, `what is left of ${id}`);
  });

  check('pruned messages are gone, and older events do not bring them back', async (store) => {
    const old = recordOf('old', { lastAt: 1_000, events: [eventOf('id 1')] });
    const young = recordOf('young', { lastAt: 2_000, events: [eventOf('id 2', { at: 2_000 })] });
    await store.record(NAMESPACE, [old, young]);
    await store.record('other', [old]);
    expectEqual(await store.prune(NAMESPACE, 2_000), 1, 'the number of messages');
    expectEqual(await store.prune(NAMESPACE, 500), 0, 'the number of messages before an earlier moment');
    const traces = await store.record(NAMESPACE, [old, { ...old, messageId: 'young' }]);
    expectEqual(tracesOf(traces), ['young id 1 true'], 'the traces');
    expectEqual(await one(store, 'old'), undefined, 'the old message');
    expectEqual((await one(store, 'young'))?.lastAt, 2_000, 'the young message');
    await store.record('other', [{ ...old, messageId: 'older' }]);
    expectEqual((await store.get('other', ['old', 'older'])).length, 2, 'the other namespace');
    await store.record(NAMESPACE, [{ ...old, lastAt: 3_000, events: [eventOf('id 3', { at: 3_000 })] }]);
    expectEqual(identitiesOf(await one(store, 'old')), ['id 3'], 'the events of a message added again');
  });

  check('a repeated event without a time does not bring a pruned message back', async (store) => {
    const untimed = (at: number) => eventOf('id 1', { at, moment: `open ${at}`, isUntimed: true, ...TOLD });
    await store.record(NAMESPACE, [recordOf('m', { lastAt: 1_000, events: [untimed(1_000)] })]);
    await store.prune(NAMESPACE, 2_000);
    const repeated = recordOf('m', { lastAt: 9_000, events: [untimed(9_000)] });
    expectEqual(tracesOf(await store.record(NAMESPACE, [repeated])), ['m id 1 false'], 'the traces');
    expectEqual(await one(store, 'm'), undefined, 'the message');
    await store.record(NAMESPACE, [
      recordOf('m', { lastAt: 9_000, events: [eventOf('id 2', { at: 9_000 })] }),
    ]);
    const events = (await one(store, 'm'))?.events.map(
      ({ identity, text, url }) => `${identity} ${text} ${url}`,
    );
    expectEqual(
      events?.sort(),
      ['id 1 null null', 'id 2 null null'],
      'the events of a message that is added again',
    );
  });

  check('notes are kept by name, and deleted', async (store) => {
    await store.note(NAMESPACE, 'a', '1');
    await store.note(NAMESPACE, 'a', '2');
    await store.note(NAMESPACE, 'b', '3');
    await store.note(NAMESPACE, 'b', undefined);
    expectEqual(await store.noted(NAMESPACE, 'a'), '2', 'a');
    expectEqual((await store.noted(NAMESPACE, 'b')) ?? 'none', 'none', 'b');
    expectEqual((await store.noted('other', 'a')) ?? 'none', 'none', 'a in another namespace');
  });

  check('a change is committed once its method resolves', async (store) => {
    const ids = async () => idsOf(await store.get(NAMESPACE, ['m', 'later']));
    await store.record(NAMESPACE, [annsMessage]);
    expectEqual(await ids(), ['m'], 'the messages after `record`');
    await store.forget(NAMESPACE, FORGET_ANN);
    expectEqual(shownOf(await one(store, 'm')), NOTHING, 'the message after `forget`');
    await store.record(NAMESPACE, [{ ...annsMessage, messageId: 'later' }]);
    expectEqual(shownOf(await one(store, 'later')), NOTHING, 'a message recorded after `forget`');
    await store.note(NAMESPACE, 'a', '1');
    expectEqual(await store.noted(NAMESPACE, 'a'), '1', 'the text after `note`');
    await store.note(NAMESPACE, 'a', undefined);
    expectEqual((await store.noted(NAMESPACE, 'a')) ?? 'none', 'none', 'the text after `note` deleted it');
    await store.prune(NAMESPACE, 9_000);
    expectEqual(await ids(), [], 'the messages after `prune`');
    await store.record(NAMESPACE, [annsMessage]);
    expectEqual(await ids(), [], 'an old message recorded after `prune`');
  });

  check('the same events at once, in different orders, are added once', async (store) => {
    const ids = Array.from({ length: 20 }, (_, index) => `m ${100 + index}`);
    const post = (order: readonly string[]) =>
      store.record(
        NAMESPACE,
        order.map((id) => recordOf(id, { events: [eventOf('id 1'), eventOf('id 2')] })),
      );
    const traces = await Promise.all([post(ids), post(ids.toReversed()), post(ids)]);
    expectEqual(traces.flat().filter(({ isNew }) => isNew).length, 40, 'new events');
    expectEqual(traces.flat().length, 120, 'traces');
    expectEqual((await store.get(NAMESPACE, ids)).flatMap(identitiesOf).length, 40, 'stored events');
  });
}
