import { EmailPlatform, JournalError, type EmailPlatformOptions, type SendParams } from 'email-platform';
import { createJournal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { json, scriptedFetch, type Turn } from '../../support/scripted-fetch.ts';
import { claimOf } from './claim-of.ts';
import { MemoryStore } from './memory-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const mail = {
  from: 'news@mail.example.com',
  to: 'ann@example.org',
  subject: 'Hello',
  text: 'Hi.',
} satisfies SendParams;

/** An emulator whose clock, and that of the database, is the same. */
function setUp(options: EmailPlatformOptions = {}) {
  const emulator = createEmulator({ logs: { pageSize: 25 } });
  const store = new MemoryStore(() => emulator.clock.now());
  const journal = createJournal(store);
  const client = new EmailPlatform({ ...emulator.clientOptions(), journal, ...options });
  /** Sends an email whose answer is lost: before or after the service has it. */
  const lose = async (idempotencyKey: string, kind: 'reset-before' | 'reset-after', more: object = {}) => {
    emulator.faults.next({ match: { method: 'POST' }, kind });
    const lost = client.sending.send({ ...mail, ...more }, { idempotencyKey, retry: false });
    await expect(lost).rejects.toMatchObject({ code: 'connection_failed' });
  };
  const reads = () => emulator.requests.filter(({ method }) => method === 'GET').length;
  return { emulator, store, client, lose, reads };
}

test('an email in the log is accepted from then on, with its ids', async () => {
  const { client, store, lose, reads } = setUp();
  await lose('arrived', 'reset-after');
  await lose('lost', 'reset-before');
  const { accepted, unknown } = await client.sending.settleUnknown();
  expect(accepted.map(({ key }) => key)).toEqual(['arrived']);
  expect(unknown).toEqual(['lost']);
  expect([store.state('arrived'), store.state('lost')]).toEqual(['accepted', 'unknown']);
  expect(reads()).toBe(1);
  const again = await client.sending.send(mail, { idempotencyKey: 'arrived' });
  expect(again).toEqual({ success: true, message_ids: accepted[0]?.message_ids, replayed: true });
  const message = await client.emailLogs.get(accepted[0]?.message_ids[0] ?? '');
  expect(message.custom_variables).toEqual({ idempotency_key: 'arrived' });
});

test('reads the log once for any number of keys, page by page', async () => {
  const { client, lose, emulator, reads } = setUp();
  for (let index = 0; index < 40; index += 1) await lose(`key ${index}`, 'reset-after');
  const before = reads();
  const seen: EmailPlatform.SettleProgress[] = [];
  const { accepted } = await client.sending.settleUnknown({ onProgress: (progress) => seen.push(progress) });
  expect(accepted).toHaveLength(40);
  expect(seen.at(-1)).toMatchObject({ open: 40, accepted: 40 });
  expect(seen.map(({ read }) => read)).toEqual([...seen.map(({ read }) => read)].sort((a, b) => a - b));
  expect(reads() - before).toBe(seen.length);
  expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([]);
});

test('emails that were found are settled even if the log fails later', async () => {
  const { client, store, lose, emulator } = setUp({ retry: false });
  await lose('late', 'reset-after');
  for (let index = 0; index < 60; index += 1) await lose(`key ${index}`, 'reset-after');
  const onProgress = () => emulator.faults.next({ match: { method: 'GET' }, kind: 'status', status: 500 });
  await expect(client.sending.settleUnknown({ onProgress })).rejects.toMatchObject({ code: 'server_error' });
  expect([store.state('key 59'), store.state('late')]).toEqual(['accepted', 'unknown']);
});

test('keys in flight are left alone, and those whose lease is over are not', async () => {
  const { client, store, emulator, reads } = setUp();
  const claim = { namespace: 'default', hash: '1:hash', stream: 'transactional', leaseMs: HOUR_MS } as const;
  await store.claim([{ ...claim, key: 'crashed', attempt: 'one' }]);
  expect(await client.sending.settleUnknown()).toEqual({ accepted: [], unknown: [] });
  expect(reads()).toBe(0);
  emulator.clock.advance(2 * HOUR_MS);
  expect(await client.sending.settleUnknown()).toEqual({ accepted: [], unknown: ['crashed'] });
  expect(reads()).toBe(1);
});

test('keys of a sandbox are only reported', async () => {
  const { client, lose, reads } = setUp({ stream: 'sandbox' });
  await lose('in a sandbox', 'reset-after');
  expect(await client.sending.settleUnknown()).toEqual({ accepted: [], unknown: ['in a sandbox'] });
  expect(reads()).toBe(0);
});

test('keys of another namespace are not settled', async () => {
  const { client, store, lose } = setUp();
  await lose('key', 'reset-after');
  const other = client.withOptions({ journal: createJournal(store, { namespace: 'other' }) });
  expect(await other.sending.settleUnknown()).toEqual({ accepted: [], unknown: [] });
});

test('fails as the log does, and as the journal does, and needs one', async () => {
  const { client, store, lose, emulator } = setUp();
  await lose('key', 'reset-after');
  emulator.faults.next({ match: { method: 'GET' }, kind: 'status', status: 403 });
  await expect(client.sending.settleUnknown()).rejects.toMatchObject({ code: 'permission_denied' });
  await expect(client.sending.settleUnknown({ nonsense: 1 } as object)).rejects.toThrow(/options.nonsense/);
  store.before = () => {
    throw new Error('closed');
  };
  await expect(client.sending.settleUnknown()).rejects.toBeInstanceOf(JournalError);
  const without = new EmailPlatform(emulator.clientOptions());
  await expect(without.sending.settleUnknown()).rejects.toMatchObject({ option: 'journal' });
});

/** An answer of the email log, of messages with these keys to these people. */
const logOf = (...messages: readonly (readonly [key: unknown, id: string, to?: string])[]): Turn =>
  json(200, {
    messages: messages.map(([idempotency_key, message_id, to = mail.to]) => {
      return { message_id, custom_variables: { idempotency_key }, sending_stream: 'transactional', to };
    }),
    total_count: messages.length,
    next_page_cursor: null,
  });

/** A client whose log gives these answers, and keys that are unknown. */
async function reading(turns: [Turn, ...Turn[]], keys: readonly string[]) {
  const store = new MemoryStore();
  const { fetch } = scriptedFetch(...turns);
  const client = new EmailPlatform({
    token: 'token',
    hosts: { api: 'https://api.test' },
    fetch,
    journal: createJournal(store),
    retry: false,
  });
  await store.claim(keys.map((key) => claimOf(key, 'one', { leaseMs: 0 })));
  return { store, settle: () => client.sending.settleUnknown() };
}

test('a page is recorded before the next one is read', async () => {
  const { client, store, lose, emulator } = setUp();
  for (let index = 0; index < 40; index += 1) await lose(`key ${index}`, 'reset-after');
  const states: unknown[] = [];
  const onProgress = () => states.push([store.state('key 39'), store.state('key 0')]);
  await client.sending.settleUnknown({ onProgress });
  expect(states[0]).toEqual(['accepted', 'unknown']);
  expect(emulator.messages()).toHaveLength(40);
});

test('ids are in the order in which the messages were sent, over several pages, each once', async () => {
  const page = (ids: readonly string[], next: string | null): Turn =>
    json(200, {
      messages: ids.map((message_id) => ({
        message_id,
        custom_variables: { idempotency_key: 'a' },
        sending_stream: 'transactional',
        to: `${message_id}@example.org`,
      })),
      total_count: 4,
      next_page_cursor: next,
    });
  const next = '00000000-0000-0000-0000-000000000001';
  const { store, settle } = await reading([page(['d', 'c'], next), page(['c', 'b', 'a'], null)], ['a']);
  expect(await settle()).toEqual({
    accepted: [{ key: 'a', message_ids: ['a', 'b', 'c', 'd'] }],
    unknown: [],
  });
  expect(await store.claim([claimOf('a', 'two')])).toMatchObject([{ messageIds: ['a', 'b', 'c', 'd'] }]);
});

test('fails when the log counts more messages than it shows, and what it shows is settled', async () => {
  const short = json(200, {
    messages: [
      {
        message_id: 'id',
        custom_variables: { idempotency_key: 'a' },
        sending_stream: 'transactional',
        to: mail.to,
      },
    ],
    total_count: 2,
    next_page_cursor: null,
  });
  const { store, settle } = await reading([short], ['a', 'b']);
  await expect(settle()).rejects.toThrow('emailLogs.list counts 2 messages, and shows 1 of them');
  expect([store.state('a'), store.state('b')]).toEqual(['accepted', 'claimed']);
});

describe('Keys that look like numbers, in a log that shows numbers', () => {
  test.each<[string, readonly string[], unknown, readonly string[]]>([
    ['the key that prints like it', ['7'], 7, ['7']],
    ['a decimal', ['1.5'], 1.5, ['1.5']],
    ['no key of the same value', ['07', '7.0', ' 7', '7e0', '0x7'], 7, []],
    ['none of several keys of the same value', ['7', '07'], 7, []],
    ['no key that was rounded', ['12345678901234567890'], Number('12345678901234567890'), []],
    ['a long key, digit by digit', ['9007199254740992', '9007199254740993'], 2 ** 53, ['9007199254740992']],
    ['no long key, but another one is not in its way', ['12345678901234567890'], '12345678901234567891', []],
    ['every key as a text', ['7', '07'], '07', ['07']],
  ])('is found: %s', async (_, keys, shown, expected) => {
    const { settle } = await reading([logOf([shown, 'id'])], keys);
    const { accepted, unknown } = await settle();
    expect(accepted.map(({ key }) => key)).toEqual(expected);
    expect(unknown).toEqual(keys.filter((key) => !expected.includes(key)));
  });
});

test('a forgotten key that is used anew is not settled by its former email', async () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { client, store, lose } = setUp();
  await client.sending.send(mail, { idempotencyKey: 'key' });
  vi.setSystemTime(Date.now() + HOUR_MS);
  // This key is open for so long that the log is read back to its claim, and so to the former email.
  await lose('open', 'reset-after');
  vi.setSystemTime(Date.now() + 3 * DAY_MS);
  const rows = new Map(store.rows);
  expect(await store.forget('default', Date.now())).toBe(2);
  for (const [id, row] of rows) if (row.key === 'open') store.rows.set(id, { ...row, claimedAt: 0 });
  await lose('key', 'reset-before');
  const { accepted, unknown } = await client.sending.settleUnknown();
  expect([accepted.map(({ key }) => key), unknown]).toEqual([['open'], ['key']]);
});

test('keys that changed in the last two days are not forgotten', async () => {
  const journal = createJournal(new MemoryStore());
  const before = new Date(Date.now() - 2 * DAY_MS + 60_000);
  await expect(journal.forget({ before })).rejects.toThrow('before must be two days ago, or earlier');
  expect(await journal.forget({ before: new Date(Date.now() - 2 * DAY_MS) })).toBe(0);
});

test('forgotten keys are new', async () => {
  const { client, store, emulator } = setUp();
  const journal = createJournal(store);
  await client.sending.send(mail, { idempotencyKey: 'key' });
  emulator.clock.advance(3 * DAY_MS);
  const now = emulator.clock.now();
  vi.useFakeTimers({ now, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await journal.forget({ before: new Date(now - 4 * DAY_MS) })).toBe(0);
  expect(await journal.forget({ before: new Date(now - 2 * DAY_MS) })).toBe(1);
  const again = await client.sending.send(mail, { idempotencyKey: 'key' });
  expect(again.replayed).toBeUndefined();
  await expect(journal.forget({ before: 'yesterday' as unknown as Date })).rejects.toMatchObject({
    option: 'before',
  });
});
