/** Deliveries in a Postgres inside this process. What many connections do at once is tested in test/peers/postgres. */
import type { PGlite } from '@electric-sql/pglite';
import { postgresDeliveries, postgresJournal } from 'email-platform/journal';
import { beforeAll, describe, expect, test } from 'vitest';
import { emptyPglite } from '../../../support/empty-pglite.ts';
import { eventOf, testDeliveries } from '../deliveries/deliveries-tests.ts';
import { proveKilledReceivers } from '../deliveries/killed-receivers.ts';

let database: PGlite;
beforeAll(async () => {
  database = await emptyPglite();
});

describe('Deliveries in Postgres', () => {
  test('the schema creates the tables of a journal too, as often as it is run', async () => {
    await database.exec('CREATE SCHEMA "by hand"');
    const options = { schema: 'by hand' };
    const deliveries = postgresDeliveries(database, {
      ...options,
      journal: postgresJournal(database, options),
    });
    await database.exec(deliveries.schema);
    await database.exec(deliveries.schema);
    expect(await deliveries.record([eventOf('delivery', 1)])).toMatchObject({ recorded: 1 });
  });

  let schemas = 0;
  const emptySchema = async () => {
    const schema = `empty ${(schemas += 1)}`;
    await database.exec(`CREATE SCHEMA "${schema}"`);
    return schema;
  };

  test('receivers that are killed record every status', async () => {
    const schema = await emptySchema();
    const journal = postgresJournal(database, { schema });
    await proveKilledReceivers(postgresDeliveries(database, { schema, journal }));
  });

  testDeliveries(test, async () => {
    const schema = await emptySchema();
    return {
      journal: postgresJournal(database, { schema }),
      deliveries: (options) => postgresDeliveries(database, { ...options, schema }),
    };
  });
});
