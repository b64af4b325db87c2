/** Deliveries in a Postgres inside this process. What many connections do at once is tested in test/peers/postgres. */
import { PGlite } from '@electric-sql/pglite';
import { postgresDeliveries, postgresJournal } from 'email-platform/journal';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { testDeliveries } from './deliveries-tests.ts';

let database: PGlite;
beforeAll(async () => {
  database = await PGlite.create();
});
afterAll(async () => database.close());

describe('Deliveries in Postgres', () => {
  let schemas = 0;
  testDeliveries(test, async () => {
    const schema = `empty ${(schemas += 1)}`;
    await database.exec(`CREATE SCHEMA "${schema}"`);
    return {
      journal: postgresJournal(database, { schema }),
      deliveries: (options) => postgresDeliveries(database, { ...options, schema }),
    };
  });
});
