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

  test('inside a transaction of the caller, what writes is refused', async () => {
    const deliveries = postgresDeliveries(database, { schema: await emptySchema() });
    await deliveries.setup();
    for (const run of [
      () => deliveries.record([eventOf('delivery', 1)]),
      () => deliveries.recordSent({ message_ids: ['id 1'] }),
      () => deliveries.forget({ recipient: 'ann@example.org' }),
      () => deliveries.prune({ before: new Date(0) }),
    ]) {
      await database.query('BEGIN');
      await expect(run()).rejects.toMatchObject({
        name: 'JournalError',
        message: expect.stringContaining('inside a transaction') as string,
      });
      await database.query('ROLLBACK');
    }
    expect(await deliveries.of({ messageId: 'id 1' })).toEqual([]);
  });

  test('a connection that renames columns is refused before anything is written', async () => {
    const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const texts: string[] = [];
    const unsafe = async (text: string, values: string[] = []) => {
      texts.push(text);
      const { rows } = await database.query<object>(text, values);
      return rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value as unknown])),
      );
    };
    const misread = { name: 'JournalError', message: expect.stringContaining('renames columns') as string };
    await expect(postgresDeliveries({ unsafe }).record([eventOf('delivery', 1)])).rejects.toMatchObject(
      misread,
    );
    await expect(postgresJournal({ unsafe }).setup()).rejects.toMatchObject(misread);
    expect(texts).toHaveLength(2);
  });

  test('forgets more keys, and prunes more messages, than one statement looks at', async () => {
    const schema = await emptySchema();
    const deliveries = postgresDeliveries(database, { schema });
    const key = 'to ann@example.org';
    await deliveries.record([eventOf('delivery', 1, { custom_variables: { idempotency_key: key } })]);
    await database.exec(`INSERT INTO "${schema}".email_platform_deliveries_v1
      SELECT (jsonb_populate_record(row, jsonb_build_object('key', 'a@b ' || lpad(nth::text, 5, '0'),
          'message_id', 'id ' || nth, 'recipient', null))).*
        FROM "${schema}".email_platform_deliveries_v1 AS row, generate_series(2, 10001) AS nth`);
    expect(await deliveries.of({ key })).toHaveLength(1);
    expect(await deliveries.forget({ recipient: 'ann@example.org' })).toBe(1);
    expect(await deliveries.of({ key })).toEqual([]);
    expect(await deliveries.prune({ before: new Date() })).toBe(10_001);
    expect(await deliveries.prune({ before: new Date() })).toBe(0);
  });

  testDeliveries(test, async () => {
    const schema = await emptySchema();
    return {
      journal: postgresJournal(database, { schema }),
      deliveries: (options) => postgresDeliveries(database, { ...options, schema }),
    };
  });
});
