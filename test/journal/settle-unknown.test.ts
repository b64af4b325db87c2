import {
  EmailPlatform,
  JournalError,
  type EmailPlatformOptions,
  type SendParams,
  type SettleProgress,
} from 'email-platform';
import { createJournal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { MemoryStore } from './memory-store.ts';

const HOUR_MS = 3_600_000;
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

test('what the log has is accepted from then on, with its ids', async () => {
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
  const seen: SettleProgress[] = [];
  const { accepted } = await client.sending.settleUnknown({ onProgress: (progress) => seen.push(progress) });
  expect(accepted).toHaveLength(40);
  expect(seen.at(-1)).toMatchObject({ open: 40, accepted: 40 });
  expect(seen.map(({ read }) => read)).toEqual([...seen.map(({ read }) => read)].sort((a, b) => a - b));
  expect(reads() - before).toBe(seen.length);
  expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([]);
});

test('what was found is settled although the log fails then', async () => {
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

test('forgotten keys are new', async () => {
  const { client, store, emulator } = setUp();
  const journal = createJournal(store);
  await client.sending.send(mail, { idempotencyKey: 'key' });
  emulator.clock.advance(HOUR_MS);
  expect(await journal.forget({ before: new Date(emulator.clock.now() - 2 * HOUR_MS) })).toBe(0);
  expect(await journal.forget({ before: new Date(emulator.clock.now()) })).toBe(1);
  const again = await client.sending.send(mail, { idempotencyKey: 'key' });
  expect(again.replayed).toBeUndefined();
  await expect(journal.forget({ before: 'yesterday' as unknown as Date })).rejects.toMatchObject({
    option: 'before',
  });
});
