import { createJournal, type JournalEvent } from 'email-platform/journal';
import type { WebhookEvent } from 'email-platform/webhooks';
import { expect, test } from 'vitest';
import { MemoryStore } from './memory-store.ts';
import { claimOf } from './claim-of.ts';

const eventOf = (custom_variables: unknown, more: Partial<JournalEvent> = {}): JournalEvent => ({
  kind: 'sending',
  sending_stream: 'transactional',
  message_id: 'id 1',
  custom_variables,
  ...more,
});

// The example examples/settled-by-webhooks.ts runs the whole receiver, including the signature.
test('an event makes the key of its email accepted, with the id of its message', async () => {
  const store = new MemoryStore();
  const journal = createJournal(store);
  await store.claim([claimOf('a'), claimOf('b')]);
  expect(await journal.settleFrom(eventOf({ idempotency_key: 'a', order: 7 }))).toBe(true);
  expect(await store.claim([claimOf('a'), claimOf('b')])).toMatchObject([
    { state: 'accepted', messageIds: ['id 1'] },
    { state: 'claimed' },
  ]);
});

test('an event after the answer changes nothing, and an answer after an event adds what it knows', async () => {
  const store = new MemoryStore();
  const journal = createJournal(store);
  await store.claim([claimOf('a'), claimOf('b')]);
  const answered = (key: string) =>
    store.record([{ ...claimOf(key), state: 'accepted', messageIds: ['id 1', 'id 2'] }]);
  await answered('a');
  await journal.settleFrom(eventOf({ idempotency_key: 'a' }));
  await journal.settleFrom(eventOf({ idempotency_key: 'b' }));
  await answered('b');
  const entries = await store.claim([claimOf('a'), claimOf('b')]);
  expect(entries.map((entry) => entry?.messageIds)).toEqual([
    ['id 1', 'id 2'],
    ['id 1', 'id 2'],
  ]);
});

test('a key that the journal does not have stays unknown to it', async () => {
  const store = new MemoryStore();
  expect(await createJournal(store).settleFrom(eventOf({ idempotency_key: 'a' }))).toBe(true);
  expect(store.rows.size).toBe(0);
});

test('a number settles the key that prints like it, and no other of the same value', async () => {
  const store = new MemoryStore();
  const keys = ['7', '07', '7.0'];
  await store.claim(keys.map((key) => claimOf(key)));
  expect(await createJournal(store).settleFrom(eventOf({ idempotency_key: 7 }))).toBe(true);
  expect(keys.map((key) => store.state(key))).toEqual(['accepted', 'claimed', 'claimed']);
});

test('an event on another stream changes nothing', async () => {
  const store = new MemoryStore();
  await store.claim([claimOf('a')]);
  await createJournal(store).settleFrom(eventOf({ idempotency_key: 'a' }, { sending_stream: 'bulk' }));
  expect(store.state('a')).toBe('claimed');
});

test('an event of the bulk stream makes the key of an email accepted that was sent there', async () => {
  const store = new MemoryStore();
  await store.claim([claimOf('a', 'one', { stream: 'bulk' })]);
  const event = eventOf({ idempotency_key: 'a' }, { sending_stream: 'bulk' });
  expect(await createJournal(store).settleFrom(event)).toBe(true);
  expect(store.state('a')).toBe('accepted');
});

test('an event changes nothing about a key that is released: its email was refused', async () => {
  const store = new MemoryStore();
  await store.claim([claimOf('a')]);
  await store.record([{ ...claimOf('a'), state: 'released', messageIds: [] }]);
  await createJournal(store).settleFrom(eventOf({ idempotency_key: 'a' }));
  expect(store.state('a')).toBe('released');
});

test('only the variable of the journal counts, and only its namespace', async () => {
  const store = new MemoryStore();
  await store.claim([claimOf('a')]);
  const other = createJournal(store, { variable: 'key' });
  expect(await other.settleFrom(eventOf({ idempotency_key: 'a' }))).toBe(false);
  await createJournal(store, { namespace: 'other' }).settleFrom(eventOf({ idempotency_key: 'a' }));
  expect(store.state('a')).toBe('claimed');
  expect(await other.settleFrom(eventOf({ key: 'a' }))).toBe(true);
  expect(store.state('a')).toBe('accepted');
});

test.each<[string, JournalEvent]>([
  ['no variables', eventOf(undefined)],
  ['variables that are null', eventOf(null)],
  ['other variables', eventOf({ order: 7 })],
  ['a key that is neither text nor a number', eventOf({ idempotency_key: true })],
  ['a number that stands for several keys', eventOf({ idempotency_key: 2 ** 53 })],
  ['a key that no sent email has', eventOf({ idempotency_key: 'a\u0000' })],
  ['a key that is too long', eventOf({ idempotency_key: 'é'.repeat(128) })],
  ['no id', eventOf({ idempotency_key: 'a' }, { message_id: undefined })],
  ['an empty id', eventOf({ idempotency_key: 'a' }, { message_id: '' })],
  ['no stream', eventOf({ idempotency_key: 'a' }, { sending_stream: undefined })],
  ['an unknown stream', eventOf({ idempotency_key: 'a' }, { sending_stream: 'any' })],
  ['another kind', eventOf({ idempotency_key: 'a' }, { kind: 'audit' })],
  ['a key of a prototype', eventOf(Object.create({ idempotency_key: 'a' }))],
  ['nothing', undefined as never],
])('an event with %s is ignored', async (_, event) => {
  const store = new MemoryStore();
  await store.claim([claimOf('a')]);
  expect(await createJournal(store).settleFrom(event)).toBe(false);
  expect(store.calls).toEqual(['claim 1']);
});

test('a late event of a forgotten email settles nothing, unless the journal never learned its id', async () => {
  let now = Date.now() - 90 * 86_400_000;
  const store = new MemoryStore(() => now);
  const journal = createJournal(store);
  await store.claim([claimOf('a')]);
  await journal.settleFrom(eventOf({ idempotency_key: 'a' }));
  now = Date.now();
  expect(await journal.forget({ before: new Date(now - 30 * 86_400_000) })).toBe(1);
  await store.claim([claimOf('a', 'two')]);
  expect(await journal.settleFrom(eventOf({ idempotency_key: 'a' }))).toBe(true);
  expect(store.state('a')).toBe('claimed');
  await journal.settleFrom(eventOf({ idempotency_key: 'a' }, { message_id: 'id of the same email' }));
  expect(store.state('a')).toBe('accepted');
});

test('every event of the package fits', () => {
  const settle = (event: WebhookEvent) => createJournal(new MemoryStore()).settleFrom(event);
  expect(settle).toBeTypeOf('function');
});
