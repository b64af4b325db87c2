import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteJournal } from '../../../src/entries/journal/index.ts';
import { FORGOTTEN_IDS } from '../../../src/entries/journal/rows.ts';
import { journalContract } from '../../../src/testing/journal-contract/journal-contract.ts';
import type { Database, DatabaseClass } from '../../support/sqlite.ts';
import { claimOf } from './claim-of.ts';
import { testFreeKeys } from './free-keys.ts';

/**
 * Tests the store of keys with a class of databases. Also runs without vitest, in a Node that has the class. The returned
 * function closes the databases, and deletes their files.
 */
export function testSqliteStore(
  test: (name: string, run: () => Promise<void>) => unknown,
  Class: DatabaseClass,
): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  let files = 0;
  const newFile = () => join(folder, `${(files += 1)}.db`);
  const opened: Database[] = [];
  const open = (file: string) => {
    const database = new Class(file);
    opened.push(database);
    return database;
  };
  /** A connection that does not wait by itself: the journal does. */
  const impatient = (file: string) => {
    const database = open(file);
    database.exec('PRAGMA busy_timeout = 0');
    return database;
  };

  journalContract(
    (title, run) => test(`in memory: ${title}`, run),
    () => sqliteJournal(open(':memory:')).store,
  );
  journalContract(
    (title, run) => test(`in a file: ${title}`, run),
    () => sqliteJournal(open(newFile())).store,
  );
  journalContract(
    (title, run) => test(`at the time of a test: ${title}`, run),
    () => sqliteJournal(open(':memory:'), { now: () => Date.now() + 0.5 }).store,
  );

  test('the time of a test ends a lease', async () => {
    let now = 1_000;
    const { store } = sqliteJournal(open(':memory:'), { now: () => now });
    await store.claim([{ ...claimOf('a'), leaseMs: 60_000 }]);
    now += 59_999;
    assert.deepEqual(await store.open('default'), []);
    now += 1;
    const [entry] = await store.open('default');
    assert.deepEqual([entry?.key, entry?.ageMs, entry?.leaseLeftMs], ['a', 60_000, 0]);
  });

  const shared = open(newFile());
  testFreeKeys(test, (namespace) => sqliteJournal(shared, { namespace }));

  test('what is claimed is there when the file is opened again', async () => {
    const file = newFile();
    const first = open(file);
    await sqliteJournal(first).store.claim([claimOf('a')]);
    first.close();
    const [entry] = await sqliteJournal(open(file)).store.claim([claimOf('a', 'two')]);
    assert.equal(entry?.state, 'claimed');
  });

  test('of two connections to a file, one has a key, and the other learns which attempt it is', async () => {
    const file = newFile();
    const [one, other] = [sqliteJournal(impatient(file)), sqliteJournal(impatient(file))];
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    const claimAll = (journal: typeof one, attempt: string) =>
      Promise.all(keys.map(async (key) => (await journal.store.claim([claimOf(key, attempt)]))[0]));
    const [firsts, seconds] = await Promise.all([claimAll(one, 'one'), claimAll(other, 'two')]);
    for (const [index, first] of firsts.entries()) {
      const second = seconds[index];
      assert.equal([first, second].filter((entry) => entry === undefined).length, 1);
      assert.equal((first ?? second)?.attempt, first === undefined ? 'one' : 'two');
    }
  });

  test('the schema creates the table, as often as it is run', async () => {
    const database = open(':memory:');
    const journal = sqliteJournal(database);
    database.exec(journal.schema);
    database.exec(journal.schema);
    await journal.setup();
    assert.deepEqual(await journal.store.claim([claimOf('a')]), [undefined]);
  });

  test('a transaction of the caller is refused, and its end changes nothing', async () => {
    const database = open(':memory:');
    const journal = sqliteJournal(database);
    database.exec('BEGIN');
    await assert.rejects(journal.setup());
    await assert.rejects(journal.store.claim([claimOf('a')]));
    database.exec('ROLLBACK');
    assert.deepEqual(await journal.store.claim([claimOf('a')]), [undefined]);
  });

  test('a claim waits while another connection writes, and lets this process go on', async () => {
    const file = newFile();
    const journal = sqliteJournal(impatient(file));
    const other = open(file);
    await journal.setup();
    other.exec('BEGIN IMMEDIATE');
    const claiming = journal.store.claim([claimOf('a')]);
    let turns = 0;
    while (turns < 5) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      turns += 1;
    }
    other.exec('COMMIT');
    assert.deepEqual(await claiming, [undefined]);
  });

  test('of several keys, none is claimed if one cannot be written', async () => {
    const database = open(newFile());
    const journal = sqliteJournal(database);
    await journal.setup();
    const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
    database.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const claims = Array.from({ length: 500 }, (_, index) => claimOf(`key ${index}`));
    await assert.rejects(journal.store.claim(claims), /full/);
    database.exec('PRAGMA max_page_count = 100000');
    assert.deepEqual(new Set(await journal.store.claim(claims)), new Set([undefined]));
  });

  test('of two keys, none is claimed if the second statement fails', async () => {
    const database = open(newFile());
    await sqliteJournal(database).setup();
    let runs = 0;
    const failing = {
      exec: (sql: string) => database.exec(sql),
      prepare: (sql: string) => {
        const statement = database.prepare(sql);
        const run = (...values: (string | number)[]) => {
          if (sql.startsWith('INSERT') && (runs += 1) === 2) throw new Error('The disk is broken');
          return statement.run(...values);
        };
        const get = (...values: (string | number)[]) => statement.get(...values);
        return Object.assign(Object.create(statement) as typeof statement, { run, get });
      },
    };
    await assert.rejects(sqliteJournal(failing).store.claim([claimOf('a'), claimOf('b')]), /broken/);
    assert.deepEqual(await sqliteJournal(database).store.claim([claimOf('a', 'two')]), [undefined]);
  });

  test('a database that was closed works again once it is open', async () => {
    const database = open(newFile()) as Database & { open?: () => void };
    const journal = sqliteJournal(database);
    await journal.store.claim([claimOf('a')]);
    // Only node:sqlite can open a database again.
    if (typeof database.open !== 'function') return;
    database.close();
    database.open();
    await assert.rejects(journal.store.claim([claimOf('a', 'two')]));
    const [entry] = await journal.store.claim([claimOf('a', 'two')]);
    assert.equal(entry?.attempt, 'one');
  });

  test('many keys are forgotten in portions, between which others have their turn', async () => {
    const file = newFile();
    const { store } = sqliteJournal(impatient(file));
    const other = sqliteJournal(impatient(file));
    const keys = Array.from({ length: 3_500 }, (_, index) => claimOf(`key ${index}`));
    await store.claim(keys);
    const records = keys.map((key) => ({ ...key, state: 'released' as const, messageIds: [] }));
    await store.record(records.filter((_, index) => index % 7 !== 0));
    let isOver = false;
    const forgetting = store.forget('default', Date.now() + 3_600_000).finally(() => (isOver = true));
    assert.deepEqual(await other.store.claim([claimOf('a new key')]), [undefined]);
    assert.equal(isOver, false);
    const { left } = open(file).prepare('SELECT count(*) AS left FROM email_platform_journal_v1').get() as {
      readonly left: number;
    };
    // Only the first thousand have been looked at.
    assert.ok(left > 2_500, `${left} keys are left`);
    assert.equal(await forgetting, 3_000);
    const again = await store.claim(keys.map((key) => ({ ...key, attempt: 'two' })));
    assert.equal(again.filter((entry) => entry?.state === 'claimed').length, 500);
    assert.equal(await store.forget('default', Date.now() - 3_600_000), 0);
  });

  test('the ids of forgotten keys are remembered for a year', async () => {
    const database = open(':memory:');
    const DAY_MS = 86_400_000;
    let now = Date.UTC(2026, 0, 1);
    const { store } = sqliteJournal(database, { now: () => now });
    await store.claim([claimOf('a')]);
    await store.record([{ ...claimOf('a'), state: 'accepted', messageIds: ['id 1', 'id 2'] }]);
    const remembered = () => database.prepare(`SELECT * FROM ${FORGOTTEN_IDS}`).all().length;
    for (const [days, count] of [
      [1, 2],
      [366, 2],
      [367, 0],
    ] as const) {
      now = Date.UTC(2026, 0, 1) + days * DAY_MS;
      await store.forget('default', now);
      assert.equal(remembered(), count, `after ${days} days`);
    }
  });

  test('a closed database is an error', async () => {
    const database = open(':memory:');
    const journal = sqliteJournal(database);
    await journal.setup();
    database.close();
    await assert.rejects(journal.store.claim([claimOf('a')]));
    await assert.rejects(journal.store.open('default'));
  });

  return () => {
    for (const database of opened) {
      try {
        database.close();
      } catch {
        // The test has closed it.
      }
    }
    rmSync(folder, { recursive: true, force: true });
  };
}
