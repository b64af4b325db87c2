import { createDeliveries, sqliteDeliveries, sqliteJournal, type Deliveries } from 'email-platform/journal';
import { test } from 'vitest';
import { databaseOfThisNode } from '../../../support/databases.ts';
import { sqliteClass } from '../../../support/sqlite.ts';
import { proveKilledReceivers } from './killed-receivers.ts';
import { MemoryDeliveryStore } from './memory-store.ts';

const databases: Readonly<Record<string, () => Deliveries>> = {
  memory: () => createDeliveries(new MemoryDeliveryStore()),
  SQLite: () => {
    const database = new (sqliteClass(databaseOfThisNode().name))(':memory:');
    return sqliteDeliveries(database, { journal: sqliteJournal(database) });
  },
};

test.each(Object.entries(databases))('receivers that are killed record every status, in %s', (_, create) =>
  proveKilledReceivers(create()),
);
