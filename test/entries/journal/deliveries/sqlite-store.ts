import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDeliveryStore } from '../../../../src/entries/journal/deliveries/sqlite-store.ts';
import { sqliteDeliveries, sqliteJournal } from '../../../../src/entries/journal/index.ts';
import { deliveriesContract } from '../../../../src/testing/journal-contract/deliveries-contract.ts';
import type { Database, DatabaseClass } from '../../../support/sqlite.ts';
import { DELIVERIES, EVENTS, NOTES } from '../../../../src/entries/journal/deliveries/tables.ts';
import { FORGOTTEN_IDS, TABLE } from '../../../../src/entries/journal/rows.ts';
import { claimOf } from '../claim-of.ts';
import { eventOf, testDeliveries } from './deliveries-tests.ts';

/**
 * Tests deliveries with a class of databases. Also runs without vitest, in a Node that has the class. The returned
 * function closes the databases, and deletes their files.
 */
export function testSqliteDeliveries(
  test: (name: string, run: () => Promise<void>) => unknown,
  Class: DatabaseClass,
): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'deliveries-'));
  const opened: Database[] = [];
  let files = 0;
  const open = (file: string) => {
    const database = new Class(file);
    opened.push(database);
    return database;
  };
  const newFile = () => join(folder, `${(files += 1)}.db`);

  deliveriesContract(
    (title, run) => test(`in memory: ${title}`, run),
    () => sqliteDeliveryStore(open(':memory:'), (ms) => new Promise((resolve) => setTimeout(resolve, ms))),
  );
  testDeliveries(
    (title, run) => test(`in memory: ${title}`, run),
    () => {
      const database = open(':memory:');
      return {
        journal: sqliteJournal(database),
        deliveries: (options) => sqliteDeliveries(database, options),
      };
    },
  );
  testDeliveries(
    (title, run) => test(`in a file, with a connection for each: ${title}`, run),
    () => {
      const file = newFile();
      return {
        journal: sqliteJournal(open(file)),
        deliveries: (options) => sqliteDeliveries(open(file), options),
      };
    },
  );

  test('the schema creates the tables of a journal too, as often as it is run', async () => {
    const database = open(':memory:');
    const { schema } = sqliteDeliveries(database, { journal: sqliteJournal(database) });
    database.exec(schema);
    database.exec(schema);
    await sqliteDeliveries(database).setup();
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all();
    assert.deepEqual(
      tables.map((row) => (row as { readonly name: string }).name),
      [DELIVERIES, EVENTS, FORGOTTEN_IDS, NOTES, TABLE].sort(),
    );
  });

  test('prunes more messages than one transaction does', async () => {
    const database = open(':memory:');
    const deliveries = sqliteDeliveries(database);
    await deliveries.record([eventOf('delivery', 1)]);
    database.exec(`WITH RECURSIVE numbers (nth) AS (SELECT 2 UNION ALL SELECT nth + 1 FROM numbers WHERE nth < 2001)
      INSERT INTO ${DELIVERIES} (namespace, message_id, status, status_at, last_at, is_forgotten)
      SELECT namespace, 'id ' || nth, status, status_at, last_at, 0 FROM ${DELIVERIES}, numbers`);
    assert.equal(await deliveries.prune({ before: new Date() }), 2_001);
    assert.equal(await deliveries.prune({ before: new Date() }), 0);
  });

  test('inside a transaction of the caller nothing is recorded', async () => {
    const database = open(':memory:');
    const deliveries = sqliteDeliveries(database);
    await deliveries.setup();
    database.exec('BEGIN');
    await assert.rejects(deliveries.record([eventOf('delivery', 1)]), { name: 'JournalError' });
    database.exec('ROLLBACK');
    assert.deepEqual(await deliveries.of({ messageId: 'id 1' }), []);
  });

  test('keys are settled in the transaction of the events: neither is there without the other', async () => {
    const file = newFile();
    const database = open(file);
    const journal = sqliteJournal(database);
    await sqliteDeliveries(database, { journal }).setup();
    await journal.store.claim([claimOf('receipt/7')]);
    const failing = {
      exec: (sql: string) => database.exec(sql),
      prepare: (sql: string) => {
        if (sql.startsWith('UPDATE email_platform_journal')) throw new Error('The disk is broken');
        return database.prepare(sql);
      },
    };
    const event = eventOf('delivery', 1, { custom_variables: { idempotency_key: 'receipt/7' } });
    await assert.rejects(sqliteDeliveries(failing, { journal }).record([event]), (error: Error) => {
      assert.equal(error.name, 'JournalError');
      return String(error.cause).includes('broken');
    });
    assert.deepEqual(await sqliteDeliveries(open(file)).of({ messageId: 'id 1' }), []);
    assert.equal((await journal.claimed()).length, 1);
  });

  test('a connection that renames columns, or returns lists, is refused before anything is written', async () => {
    const renamed = (change: (row: object) => unknown) => {
      const database = open(':memory:');
      return {
        exec: (sql: string) => database.exec(sql),
        prepare: (sql: string) => ({
          run: (...values: (string | number)[]) => database.prepare(sql).run(...values),
          get: (...values: (string | number)[]) => change(database.prepare(sql).get(...values) as object),
          all: (...values: (string | number)[]) =>
            database
              .prepare(sql)
              .all(...values)
              .map((row) => change(row as object)),
        }),
        tables: () => database.prepare('SELECT * FROM sqlite_master').all().length,
      };
    };
    for (const change of [
      (row: object): unknown => Object.values(row),
      (row: object) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name.replace('_', ''), value])),
    ]) {
      const database = renamed(change);
      const misread = { name: 'JournalError', message: /renames columns/ };
      await assert.rejects(sqliteDeliveries(database).record([eventOf('delivery', 1)]), misread);
      await assert.rejects(sqliteDeliveries(database).of({ messageId: 'id 1' }), misread);
      await assert.rejects(sqliteJournal(database).store.claim([claimOf('a')]), misread);
      assert.equal(database.tables(), 0);
    }
  });

  return () => {
    for (const database of opened) database.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
