/** Wrong arguments are refused before anything is read or written, with an error that names the field. */
import {
  createDeliveries,
  createJournal,
  postgresDeliveries,
  sqliteDeliveries,
  sqliteJournal,
  type Deliveries,
} from 'email-platform/journal';
import type { WebhookEvent } from 'email-platform/webhooks';
import { describe, expect, test } from 'vitest';
import { databaseOfThisNode } from '../../../support/databases.ts';
import { sqliteClass } from '../../../support/sqlite.ts';
import { claimOf } from '../claim-of.ts';
import { MemoryStore } from '../memory-store.ts';
import { eventOf } from './deliveries-tests.ts';
import { MemoryDeliveryStore } from './memory-store.ts';

const SECRET = 'a secret of the shop';

describe('options', () => {
  test.each([
    [{ addresses: 'hashed' }, "addresses must be 'plain', 'none', or { hash: secret }"],
    [{ addresses: { hash: 'x'.repeat(15) } }, 'with a secret of at least 16 characters'],
    [{ addresses: { hash: SECRET, salt: 1 } }, 'addresses must be'],
    [{ journal: {} }, 'journal must be a journal'],
    [{ namespace: '' }, 'namespace must be'],
    [{ variables: 'order' }, 'variables must be an array of names'],
    [{ variables: [7] }, 'variables[0] must be'],
    [{ variable: 'order' }, 'variable is not a known field'],
  ])('%j', (options, message) => {
    for (const make of [
      () => createDeliveries(new MemoryDeliveryStore(), options as never),
      () => sqliteDeliveries({ exec: () => 0, prepare: () => 0 } as never, options as never),
      () => postgresDeliveries({ query: () => 0 } as never, options as never),
    ])
      expect(make).toThrow(
        expect.objectContaining({
          name: 'ConfigurationError',
          message: expect.stringContaining(message) as string,
        }),
      );
  });

  test('a secret of 16 characters is long enough', async () => {
    const store = new MemoryDeliveryStore();
    const deliveries = createDeliveries(store, { addresses: { hash: 'x'.repeat(16) } });
    expect(await deliveries.record([eventOf('delivery', 1)])).toMatchObject({ recorded: 1 });
  });

  test('a database', () => {
    expect(() => sqliteDeliveries('mail.db' as never)).toThrow(
      'db must be a database of node:sqlite or better-sqlite3',
    );
    expect(() => postgresDeliveries({} as never)).toThrow(
      'db must be a pool of pg, the sql of postgres.js, or PGlite',
    );
    const { name } = databaseOfThisNode();
    const database = new (sqliteClass(name))(':memory:');
    const journal = createJournal(new MemoryStore());
    expect(() => sqliteDeliveries(database, { journal })).toThrow('journal must be in the same database');
    database.close();
  });

  test('the journal of another database', async () => {
    const Class = sqliteClass(databaseOfThisNode().name);
    const [one, other] = [new Class(':memory:'), new Class(':memory:')];
    const deliveries = sqliteDeliveries(one, { journal: sqliteJournal(other) });
    for (const run of [
      () => deliveries.record([eventOf('delivery', 1)]),
      () => deliveries.of({ key: 'a' }),
      () => deliveries.setup(),
    ])
      await expect(run()).rejects.toThrow(
        'journal must be in the same database, and in the same schema: its table is not there',
      );
    one.close();
    other.close();
  });
});

describe('arguments', () => {
  const wrong: Readonly<Record<string, readonly [(deliveries: Deliveries) => unknown, string]>> = {
    'a body that was not read': [
      (it) => it.record({ events: [] } as never),
      'events must be the array of events that readWebhook returns',
    ],
    'no events': [(it) => it.record(undefined as never), 'events must be'],
    'no ids': [(it) => it.recordSent({} as never), 'result.message_ids is required'],
    'a promise of a result': [
      (it) => it.recordSent(Promise.resolve() as never),
      'result.message_ids is required',
    ],
    'ids of another kind': [
      (it) => it.recordSent({ message_ids: [7] as never }),
      'result.message_ids[0] must be a string',
    ],
    'a key of another kind': [
      (it) => it.recordSent({ message_ids: ['a'] }, { key: 7 as never }),
      'key must be a string of 1 to 255 bytes',
    ],
    'an unknown field': [
      (it) => it.recordSent({ message_ids: ['a'] }, { to: 'a' } as never),
      'to is not a known field',
    ],
    'no query': [(it) => it.of({} as never), 'query must have either key or messageId'],
    'two queries': [
      (it) => it.of({ key: 'a', messageId: 'b' } as never),
      'query must have either key or messageId',
    ],
    'a misspelt query': [(it) => it.of({ message_id: 'b' } as never), 'message_id is not a known field'],
    'a recipient that is no address': [
      (it) => it.list({ recipient: 'ann' }),
      'recipient must be one email address',
    ],
    'an unknown status': [
      (it) => it.list({ status: 'opened' as never }),
      "status must be one of 'accepted', 'delayed'",
    ],
    'a time that is no date': [
      (it) => it.list({ since: '2026-01-01' as never }),
      'since must be a valid Date',
    ],
    'nobody to forget': [(it) => it.forget({} as never), 'recipient is required'],
    'somebody without an address': [
      (it) => it.forget({ recipient: 'Ann' }),
      'recipient must be one email address',
    ],
    'no moment': [(it) => it.prune({} as never), 'before is required'],
    'an invalid moment': [(it) => it.prune({ before: new Date(NaN) }), 'before must be a valid Date'],
    'a moment in the future': [
      (it) => it.prune({ before: new Date(Date.now() + 60_000) }),
      'before must not be in the future',
    ],
    'no client': [(it) => it.backfill({} as never, { since: new Date() }), 'client must be an EmailPlatform'],
    'no start of a backfill': [
      (it) => it.backfill({ emailLogs: {} } as never, {} as never),
      'since is required',
    ],
  };

  test.each(Object.entries(wrong))('%s', async (_, [run, message]) => {
    const store = new MemoryDeliveryStore();
    await expect(Promise.resolve().then(() => run(createDeliveries(store)))).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining(message) as string,
    });
    expect(store.messages.size + store.notes.size).toBe(0);
  });

  test('no email is found by address if addresses are not kept', () => {
    const deliveries = createDeliveries(new MemoryDeliveryStore(), { addresses: 'none' });
    expect(() => deliveries.list({ recipient: 'ann@example.org' })).toThrow(
      "recipient finds nothing with addresses: 'none'",
    );
  });

  test('every event of the package fits', () => {
    const record = (events: WebhookEvent[]) => createDeliveries(new MemoryDeliveryStore()).record(events);
    expect(record).toBeTypeOf('function');
  });
});

test('with a journal of your own, keys are settled before the events are recorded', async () => {
  const journalStore = new MemoryStore();
  const store = new MemoryDeliveryStore();
  const deliveries = createDeliveries(store, {
    journal: createJournal(journalStore, { namespace: 'shop', variable: 'id' }),
  });
  const event = eventOf('delivery', 1, { custom_variables: { id: 'a' } });
  journalStore.before = () => {
    throw new Error('The database is gone');
  };
  await expect(deliveries.record([event])).rejects.toMatchObject({
    name: 'JournalError',
    cause: expect.objectContaining({ message: 'The database is gone' }) as Error,
  });
  expect(store.messages.size).toBe(0);
  journalStore.before = () => undefined;
  // A key that no email can have is no key.
  const odd = eventOf('delivery', 1, { message_id: 'id 2', custom_variables: { id: 'a\u0000' } });
  await deliveries.record([event, odd]);
  expect(journalStore.calls).toEqual(['record accepted', 'record accepted']);
  expect(await deliveries.of({ key: 'a' })).toMatchObject([
    { messageId: 'id 1', status: 'delivered', key: 'a' },
  ]);
  expect(await store.get('shop', ['id 1'])).toHaveLength(1);
});

test('the text of an event is the response of the mail server, or the reason of the service', async () => {
  const deliveries = createDeliveries(new MemoryDeliveryStore());
  await deliveries.record([
    eventOf('bounce', 1, { response: '550 no', reason: 'a bounce' }),
    eventOf('reject', 2, { reason: 'on the list' }),
  ]);
  const [delivery] = await deliveries.of({ messageId: 'id 1' });
  expect(delivery?.events.map(({ text }) => text)).toEqual(['550 no', 'on the list']);
});

test('an email of which nothing but an open is known was accepted by then', async () => {
  const deliveries = createDeliveries(new MemoryDeliveryStore());
  const open = eventOf('open', 7);
  await deliveries.record([open]);
  expect(await deliveries.of({ messageId: 'id 1' })).toMatchObject([
    { status: 'accepted', at: open.occurredAt },
  ]);
});

test('one form of a domain forgets what was recorded in the other', async () => {
  const deliveries = createDeliveries(new MemoryDeliveryStore());
  await deliveries.record([eventOf('open', 1, { email: 'ann@xn--bcher-kva.example' })]);
  expect(await deliveries.forget({ recipient: 'ann@b\u00fccher.example' })).toBe(1);
  expect(await deliveries.of({ messageId: 'id 1' })).toMatchObject([{ recipient: null }]);
});

test('a post settles a key that was used again, also behind a late event of its forgotten email', async () => {
  let now = Date.now() - 90 * 86_400_000;
  const journalStore = new MemoryStore(() => now);
  const journal = createJournal(journalStore);
  const deliveries = createDeliveries(new MemoryDeliveryStore(), { journal });
  const delivered = (message_id: string) =>
    eventOf('delivery', 1, { message_id, custom_variables: { idempotency_key: 'a' } });
  await journalStore.claim([claimOf('a')]);
  await deliveries.record([delivered('id 1')]);
  now = Date.now();
  expect(await journal.forget({ before: new Date(now - 30 * 86_400_000) })).toBe(1);
  await journalStore.claim([claimOf('a', 'two')]);
  await deliveries.record([delivered('id 1')]);
  expect(journalStore.state('a')).toBe('claimed');
  await deliveries.record([delivered('id 1'), delivered('id 2')]);
  expect(journalStore.state('a')).toBe('accepted');
});

test('one secret finds what it hashed, and another one does not', async () => {
  const store = new MemoryDeliveryStore();
  const count = async (hash: string) => {
    let found = 0;
    for await (const { messageId } of createDeliveries(store, { addresses: { hash } }).list({
      recipient: 'Ann@example.org',
    }))
      found += messageId === 'id 1' ? 1 : 0;
    return found;
  };
  await createDeliveries(store, { addresses: { hash: SECRET } }).record([eventOf('delivery', 1)]);
  expect(await count(SECRET)).toBe(1);
  expect(await count(`${SECRET}!`)).toBe(0);
});
