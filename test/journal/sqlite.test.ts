/** The store over the SQLite of every Node. test/peers/sqlite runs the same tests with better-sqlite3. */
import { sqliteJournal } from 'email-platform/journal';
import { afterAll, describe, expect, test } from 'vitest';
import { databaseOfThisNode } from '../support/databases.ts';
import { sqliteClass } from '../support/sqlite.ts';
import { testSqliteStore } from './sqlite-store.ts';

const { name } = databaseOfThisNode();

describe(`A journal in SQLite, of ${name}`, () => {
  afterAll(testSqliteStore(test, sqliteClass(name)));

  test.each([undefined, null, {}, 'mail.db'])('%j is no database', (db) => {
    expect(() => sqliteJournal(db as never)).toThrow(
      'db must be a database of node:sqlite or better-sqlite3',
    );
  });
});
