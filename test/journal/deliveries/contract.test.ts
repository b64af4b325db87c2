import type { PGlite } from '@electric-sql/pglite';
import { deliveriesContract } from 'email-platform/testing';
import { beforeAll, beforeEach, describe, test } from 'vitest';
import { postgresDeliveryStore } from '../../../src/journal/deliveries/postgres-store.ts';
import { DELIVERIES, EVENTS, NOTES } from '../../../src/journal/deliveries/tables.ts';
import { emptyPglite } from '../../support/empty-pglite.ts';
import { MemoryDeliveryStore } from './memory-store.ts';

describe('a store of your own', () => {
  deliveriesContract(test, () => new MemoryDeliveryStore());
});

describe('Postgres', () => {
  // Postgres inside this process, which has one connection. What several do is tested in test/peers/postgres.
  let database: PGlite;
  beforeAll(async () => {
    database = await emptyPglite();
  });
  beforeEach(async () => {
    await database.exec(`DROP TABLE IF EXISTS ${DELIVERIES}, ${EVENTS}, ${NOTES}`);
  });
  deliveriesContract(test, () => postgresDeliveryStore(database, () => Promise.resolve()));
});
