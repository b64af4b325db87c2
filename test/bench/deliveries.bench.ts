import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  postgresDeliveries,
  sqliteDeliveries,
  type Deliveries,
  type PostedEvent,
} from '../../src/entries/journal/index.ts';
import { missingPostgres, PostgresServer, type Pool } from '../support/postgres-server.ts';
import { sqliteClass, type Database } from '../support/sqlite.ts';
import { digits, median, table, type Bench } from './bench.ts';

const CALLS = 60;
/** The most that a call may take with a million rows, as a multiple of a thousand: a tree of rows is twice as deep. */
const CEILING = 3;

const START = Date.UTC(2026, 0, 1);

/** Event number `index` of a post: each is the delivery of another email. */
const eventOf = (index: number): PostedEvent => ({
  kind: 'sending',
  event_type: 'delivery',
  event_id: `event ${index}`,
  message_id: `message ${index}`,
  email: `reader${index % 50_000}@example.org`,
  sending_stream: 'transactional',
  occurredAt: new Date(START + index * 1_000),
  custom_variables: { idempotency_key: `news/${index}` },
});

const ROW = `'default' AS namespace, 'message ' || n AS message_id, 'news/' || n AS key,
  'reader' || n % 50000 || '@example.org' AS recipient, 'transactional' AS stream, 'delivered' AS status,
  ${START} + n * 1000 AS status_at, ${START} + n * 1000 AS last_at, NULL AS variables`;
const EVENT_ROW = `'default' AS namespace, 'message ' || n AS message_id, 'id event ' || n AS identity,
  'delivery ' || (${START / 1_000} + n) AS moment, 'delivery' AS type, ${START} + n * 1000 AS at`;
const COLUMNS = 'namespace, message_id, key, recipient, stream, status, status_at, last_at, variables';
const EVENT_COLUMNS = 'namespace, message_id, identity, moment, type, at, is_untimed';
const [MESSAGES, EVENTS] = ['email_platform_deliveries_v1', 'email_platform_delivery_events_v1'];

function fillSqlite(database: Database, from: number, to: number): void {
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${to})`;
  database.exec(`INSERT INTO ${MESSAGES} (${COLUMNS}) ${numbers} SELECT ${ROW} FROM numbers;
    INSERT INTO ${EVENTS} (${EVENT_COLUMNS}) ${numbers} SELECT ${EVENT_ROW}, 0 FROM numbers; ANALYZE`);
}

async function fillPostgres(pool: Pool, from: number, to: number): Promise<void> {
  // The server counts in 32 bits unless it is told otherwise.
  const numbers = `generate_series(${from}::bigint, ${to - 1}::bigint) AS n`;
  await pool.query(`INSERT INTO ${MESSAGES} (${COLUMNS}) SELECT ${ROW} FROM ${numbers}`);
  await pool.query(`INSERT INTO ${EVENTS} (${EVENT_COLUMNS}) SELECT ${EVENT_ROW}, false FROM ${numbers}`);
  await pool.query('VACUUM ANALYZE');
  await pool.query('CHECKPOINT');
}

async function timesOf(run: (call: number) => Promise<unknown>, calls: number): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const before = performance.now();
    await run(call);
    times.push(performance.now() - before);
  }
  return median(times);
}

/** Median milliseconds of each call. `next` is the first number without an event. */
async function measured(deliveries: Deliveries, next: number, calls: number) {
  const post = (call: number) => Array.from({ length: 20 }, (_, index) => eventOf(next + call * 20 + index));
  const number = (call: number) => (call * 7_919) % next;
  const oneOf = async (list: AsyncIterable<unknown>) => list[Symbol.asyncIterator]().next();
  return {
    'a post of 20 events': await timesOf((call) => deliveries.record(post(call)), calls),
    'the same post again': await timesOf((call) => deliveries.record(post(call)), calls),
    'by key': await timesOf((call) => deliveries.of({ key: `news/${number(call)}` }), calls),
    'by message': await timesOf((call) => deliveries.of({ messageId: `message ${number(call)}` }), calls),
    'by recipient': await timesOf(
      (call) => oneOf(deliveries.list({ recipient: `reader${number(call) % 1_000}@example.org` })),
      calls,
    ),
    'the newest 100': await timesOf(() => oneOf(deliveries.list({ status: 'delivered' })), calls),
  };
}

/** A record and a look-up take as long with a million rows as with a thousand. */
const bench: Bench = {
  title: 'Deliveries: what a call costs with a thousand rows, and with a million. Medians, in milliseconds',
  readsSourcesOnly: true,
  async run({ isSmoke }) {
    const [few, many, calls] = isSmoke ? [1_000, 10_000, 5] : [1_000, 1_000_000, CALLS];
    const rows: string[][] = [];
    const broken: string[] = [];
    const compare = async (
      name: string,
      deliveries: Deliveries,
      fill: (from: number, to: number) => unknown,
    ) => {
      await fill(0, few);
      const before = await measured(deliveries, few, calls);
      // The events of the calls are there already.
      await fill(few + calls * 20, many);
      const after = await measured(deliveries, many, calls);
      rows.push([name, `${few} rows`, `${many} rows`, '×']);
      for (const [call, ms] of Object.entries(before)) {
        const now = after[call as keyof typeof after];
        rows.push([`  ${call}`, digits(ms, 2), digits(now, 2), digits(now / ms, 2)]);
        // The first look at a recipient with many emails reads a page of them instead of one.
        if (!isSmoke && call !== 'by recipient' && now / ms > CEILING)
          broken.push(`${name}: ${call} takes ${digits(now / ms, 2)} times as long with ${many} rows`);
      }
    };

    const folder = mkdtempSync(join(tmpdir(), 'deliveries-bench-'));
    try {
      const database = new (sqliteClass('better-sqlite3'))(join(folder, 'mail.db'));
      // The disk varies more than what is measured.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      const deliveries = sqliteDeliveries(database);
      await deliveries.setup();
      await compare('better-sqlite3', deliveries, (from, to) => fillSqlite(database, from, to));
      database.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }

    const missing = missingPostgres();
    if (missing !== undefined) return { lines: [...table(rows), `Postgres: SKIPPED. ${missing}`], broken };
    const server = await PostgresServer.create();
    try {
      const pool = server.pool();
      await pool.query('ALTER SYSTEM SET synchronous_commit = off');
      await pool.query('SELECT pg_reload_conf()');
      const deliveries = postgresDeliveries(pool);
      await deliveries.setup();
      await compare('Postgres', deliveries, (from, to) => fillPostgres(pool, from, to));
    } finally {
      await server.close();
    }
    return { lines: table(rows), broken };
  },
};

export default bench;
