/** How often the store asks SQLite for what, and how long it waits for it. */
import { sqliteJournal, type SqliteDatabase } from 'email-platform/journal';
import { afterEach, expect, test, vi } from 'vitest';
import { patiently } from '../../../src/entries/journal/patiently.ts';
import { databaseOfThisNode } from '../../support/databases.ts';
import { sqliteClass, type Database } from '../../support/sqlite.ts';
import { claimOf } from './claim-of.ts';

const opened: Database[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const database of opened.splice(0)) database.close();
});

/** An empty database, and the first words of the statements that it is given. */
function setUp() {
  const database = new (sqliteClass(databaseOfThisNode().name))(':memory:');
  opened.push(database);
  const words: string[] = [];
  const note = (sql: string) => words.push(/\w+/.exec(sql)?.[0] ?? '');
  const db: SqliteDatabase = {
    exec: (sql) => {
      note(sql);
      return database.exec(sql);
    },
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        run: (...values) => {
          note(sql);
          return statement.run(...values);
        },
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
      };
    },
  };
  return { journal: sqliteJournal(db), words };
}

test('a database without the table has no open keys', async () => {
  const { journal } = setUp();
  expect(await journal.store.open('default')).toEqual([]);
});

test('the table is created once, by the first call', async () => {
  const { journal, words } = setUp();
  await journal.store.claim([claimOf('a')]);
  await journal.store.claim([claimOf('b')]);
  await journal.claimed();
  expect(words).toEqual(['BEGIN', 'CREATE', 'INSERT', 'COMMIT', 'BEGIN', 'INSERT', 'COMMIT']);
});

test.each([
  [1_000, [1_000]],
  [1_500, [1_000, 500]],
])('%d keys are freed in short transactions: %j', async (count, expected) => {
  const { journal, words } = setUp();
  await journal.setup();
  words.length = 0;
  await journal.free(
    Array.from({ length: count }, (_, index) => `key ${index}`),
    'release',
  );
  const transactions = words.join(' ').split('BEGIN ').slice(1);
  expect(transactions.map((each) => each.split('UPDATE').length - 1)).toEqual(expected);
});

test('an error that passes is final once the time is up', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const sleep = (ms: number) => {
    now += ms;
    return Promise.resolve();
  };
  const busy = vi.fn(() => {
    throw new Error('busy');
  });
  const patience = { isPassing: () => true, lookMs: 25, longestMs: 50, sleep };
  await expect(patiently(busy, patience)).rejects.toThrow('busy');
  expect(busy).toHaveBeenCalledTimes(3);
});
