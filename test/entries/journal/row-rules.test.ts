import {
  postgresJournal,
  sqliteJournal,
  type JournalClaim,
  type JournalRecord,
} from 'email-platform/journal';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { claimOf } from './claim-of.ts';

const used = vi.fn(() => {
  throw new Error('The database was used.');
});
beforeEach(() => void used.mockClear());

const stores = {
  SQLite: sqliteJournal({ exec: used, prepare: used }).store,
  Postgres: postgresJournal({ query: used }).store,
};

const record: JournalRecord = {
  namespace: 'default',
  key: 'a',
  stream: 'transactional',
  attempt: 'one',
  state: 'accepted',
  messageIds: ['id'],
};

const without = <T extends object>(row: T, name: keyof T): T => ({ ...row, [name]: undefined });

/** A claim whose stream is on its prototype. */
const inheriting = (prototype: object, { stream: _, ...claim }: JournalClaim): JournalClaim =>
  Object.assign(Object.create(prototype) as JournalClaim, claim);

describe.each(Object.entries(stores))('%s', (_, store) => {
  test.each<[string, JournalClaim]>([
    ['namespace is required', without(claimOf('a'), 'namespace')],
    ['key must be a string', claimOf(7 as never)],
    ['hash is required', without(claimOf('a'), 'hash')],
    [
      "stream must be one of 'transactional', 'bulk', 'sandbox'",
      claimOf('a', 'one', { stream: 'any' as never }),
    ],
    ['stream is required', without(claimOf('a'), 'stream')],
    ['stream is required', inheriting({ stream: 'bulk' }, claimOf('a'))],
    ['attempt is required', without(claimOf('a'), 'attempt')],
    ['leaseMs is required', without(claimOf('a'), 'leaseMs')],
    ['leaseMs must be a number of milliseconds, 0 or more', claimOf('a', 'one', { leaseMs: NaN })],
    ['leaseMs must be a number of milliseconds, 0 or more', claimOf('a', 'one', { leaseMs: -1 })],
    ['leaseMs must be a number of milliseconds, 0 or more', claimOf('a', 'one', { leaseMs: '1' as never })],
    ['over must be a string', claimOf('a', 'one', { over: null as never })],
  ])('a claim is refused before the database is asked: %s', async (rule, claim) => {
    await expect(store.claim([claimOf('before'), claim])).rejects.toMatchObject({
      code: 'configuration',
      option: `claims[1].${rule.split(' ')[0]}`,
      message: `claims[1].${rule}`,
    });
    expect(used).not.toHaveBeenCalled();
  });

  test.each<[string, JournalRecord]>([
    ['namespace is required', without(record, 'namespace')],
    ['key is required', without(record, 'key')],
    ['stream is required', without(record, 'stream')],
    ['attempt is required', without(record, 'attempt')],
    ["state must be one of 'accepted', 'unknown', 'released'", { ...record, state: 'claimed' as never }],
    ['messageIds is required', without(record, 'messageIds')],
    ['messageIds must be an array of strings', { ...record, messageIds: 'id' as never }],
    ['messageIds must be an array of strings', { ...record, messageIds: [7 as never] }],
  ])('a record is refused before the database is asked: %s', async (rule, wrong) => {
    await expect(store.record([record, wrong])).rejects.toMatchObject({
      code: 'configuration',
      option: `records[1].${rule.split(' ')[0]}`,
      message: `records[1].${rule}`,
    });
    expect(used).not.toHaveBeenCalled();
  });

  test('a value that is not a list, and one that is not a row, are refused', async () => {
    await expect(store.claim(claimOf('a') as never)).rejects.toThrow('claims must be an array');
    await expect(store.record([null as never])).rejects.toThrow('records[0] must be an object');
    expect(used).not.toHaveBeenCalled();
  });

  test('fields beyond those are ignored', async () => {
    const row = { ...record, ...claimOf('a'), more: true };
    await expect(store.claim([row])).rejects.toThrow('The database was used.');
    await expect(store.record([{ ...row, state: 'released' }])).rejects.toThrow('The database was used.');
  });
});
