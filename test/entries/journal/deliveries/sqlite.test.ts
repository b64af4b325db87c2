/** Deliveries over the SQLite of every Node. test/peers/sqlite runs the same tests with better-sqlite3. */
import { afterAll, describe, test } from 'vitest';
import { databaseOfThisNode } from '../../../support/databases.ts';
import { sqliteClass } from '../../../support/sqlite.ts';
import { testSqliteDeliveries } from './sqlite-store.ts';

const { name } = databaseOfThisNode();

describe(`Deliveries in SQLite, of ${name}`, () => {
  afterAll(testSqliteDeliveries(test, sqliteClass(name)));
});
