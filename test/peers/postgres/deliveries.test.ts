/** Deliveries in a real Postgres, over pg and over postgres.js: what many connections do at once. */
import { createRequire } from 'node:module';
import { postgresDeliveries, postgresJournal, type PostgresJs } from 'email-platform/journal';
import { deliveriesContract } from 'email-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresDeliveryStore } from '../../../src/entries/journal/deliveries/postgres-store.ts';
import { claimOf } from '../../entries/journal/claim-of.ts';
import { eventOf, testDeliveries } from '../../entries/journal/deliveries/deliveries-tests.ts';
import { missingPostgres, PostgresServer, type Pool } from '../../support/postgres-server.ts';

type Sql = PostgresJs & { end(): Promise<void> };
const postgresJs = () =>
  createRequire(import.meta.url)('postgres') as (url: string, options: { max: number }) => Sql;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const missing = missingPostgres();
if (missing !== undefined) process.stderr.write(`\n*** The Postgres tests are SKIPPED. ${missing}\n\n`);

describe.skipIf(missing !== undefined)('Deliveries in a Postgres server', () => {
  let server: PostgresServer;
  let pool: Pool;
  let sql: Sql;
  beforeAll(async () => {
    server = await PostgresServer.create();
    pool = server.pool(8);
    sql = postgresJs()(server.url(), { max: 8 });
  });
  afterAll(async () => {
    await sql.end();
    await server.close();
  });

  let schemas = 0;
  const newSchema = async () => {
    const schema = `empty${(schemas += 1)}`;
    await pool.query(`CREATE SCHEMA ${schema}`);
    return schema;
  };

  deliveriesContract(test, async () => postgresDeliveryStore(pool, pause, await newSchema()));

  describe.each(['pg', 'postgres.js'])('over %s', (library) => {
    testDeliveries(test, async () => {
      const schema = await newSchema();
      const db = library === 'pg' ? pool : sql;
      return {
        journal: postgresJournal(db, { schema }),
        deliveries: (options) => postgresDeliveries(db, { ...options, schema }),
      };
    });
  });

  test('receivers that get the same posts in different orders write the same rows, and count each event once', async () => {
    const schema = await newSchema();
    const journal = postgresJournal(pool, { schema });
    const types = ['delivery', 'open', 'click', 'bounce', 'soft_bounce'];
    const posts = Array.from({ length: 40 }, (_, post) =>
      Array.from({ length: 25 }, (__, index) => {
        const email = (post * 7 + index) % 100;
        return eventOf(types[(post + index) % types.length] ?? '', post, {
          message_id: `id ${email}`,
          event_id: `event ${post} ${index}`,
          email: `reader${email}@example.org`,
          custom_variables: { idempotency_key: `key ${email}` },
        });
      }),
    );
    await journal.store.claim(Array.from({ length: 100 }, (_, email) => claimOf(`key ${email}`)));
    const orders = [posts, posts.toReversed(), posts.map((post) => post.toReversed())];
    const counts = await Promise.all(
      orders.map(async (order) => {
        const deliveries = postgresDeliveries(server.pool(4), { journal, schema });
        return Promise.all(order.map((post) => deliveries.record(post)));
      }),
    );
    const sum = (name: 'recorded' | 'repeated' | 'ignored') =>
      counts.flat().reduce((total, count) => total + count[name], 0);
    expect([sum('recorded'), sum('repeated'), sum('ignored')]).toEqual([1_000, 2_000, 0]);

    const alone = postgresDeliveries(pool, { schema: await newSchema() });
    for (const post of posts) await alone.record(post);
    const together = postgresDeliveries(pool, { schema });
    for (let email = 0; email < 100; email += 1)
      expect(await together.of({ messageId: `id ${email}` })).toEqual(
        await alone.of({ messageId: `id ${email}` }),
      );
    expect(await journal.claimed()).toEqual([]);
  });

  test('processes that start at once create the tables once', async () => {
    const schema = await newSchema();
    const all = Array.from({ length: 8 }, () => postgresDeliveries(server.pool(1), { schema }));
    const counts = await Promise.all(all.map((deliveries) => deliveries.record([eventOf('delivery', 1)])));
    expect(counts.reduce((total, { recorded }) => total + recorded, 0)).toBe(1);
  });

  test('a recipient that is forgotten while posts come stays forgotten', async () => {
    const schema = await newSchema();
    const deliveries = postgresDeliveries(pool, { schema });
    await deliveries.setup();
    const posting = Array.from({ length: 60 }, (_, index) =>
      deliveries.record([
        eventOf('bounce', index, { message_id: `id ${index}`, response: 'no ann@example.org' }),
      ]),
    );
    await Promise.all(posting.slice(0, 20));
    await Promise.all([deliveries.forget({ recipient: 'ann@example.org' }), ...posting]);
    const { rows } = await pool.query(
      `SELECT d.*, e.text FROM ${schema}.email_platform_deliveries_v1 AS d JOIN ${schema}.email_platform_delivery_events_v1 AS e USING (message_id)`,
    );
    expect(rows).toHaveLength(60);
    expect(JSON.stringify(rows)).not.toContain('ann@');
  });

  test('a journal in another schema, and one of another database, is refused', async () => {
    const [schema, other] = [await newSchema(), await newSchema()];
    const journal = postgresJournal(pool, { schema: other });
    const deliveries = postgresDeliveries(pool, { journal, schema });
    await expect(deliveries.record([eventOf('delivery', 1)])).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: 'journal must be in the same database, and in the same schema: its table is not there',
    });
  });

  test('a crash of the server loses no event that was recorded', async () => {
    const schema = await newSchema();
    const deliveries = postgresDeliveries(pool, { schema });
    await deliveries.record([eventOf('bounce', 1)]);
    await server.crash();
    await server.start();
    expect(await deliveries.record([eventOf('bounce', 1), eventOf('delivery', 2)])).toEqual({
      recorded: 1,
      repeated: 1,
      ignored: 0,
    });
    expect((await deliveries.of({ messageId: 'id 1' }))[0]?.status).toBe('bounced');
  });
});
