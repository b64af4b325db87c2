import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteDeliveryStore } from '../../../src/journal/deliveries/sqlite-store.ts';
import { sqliteDeliveries, sqliteJournal } from '../../../src/journal/index.ts';
import { deliveriesContract } from '../../../src/testing/deliveries-contract.ts';
import type { Database, DatabaseClass } from '../../support/sqlite.ts';
import { testDeliveries } from './deliveries-tests.ts';

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

  return () => {
    for (const database of opened) database.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
