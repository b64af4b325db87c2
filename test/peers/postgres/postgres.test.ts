/** Journals in a real Postgres: what many connections do at once, and what remains of a crash. */
import { postgresJournal } from 'email-platform/journal';
import { journalContract } from 'email-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { missingPostgres, PostgresServer, type Pool } from '../../support/postgres-server.ts';
import { claimOf } from '../../entries/journal/claim-of.ts';

const missing = missingPostgres();
if (missing !== undefined) process.stderr.write(`\n*** The Postgres tests are SKIPPED. ${missing}\n\n`);

const keysOf = (count: number) => Array.from({ length: count }, (_, index) => `key ${index}`);

/** The same keys in another order, which differs by `step`. */
const shuffled = (keys: readonly string[], step: number) =>
  keys.map((_, index) => keys[(index * step) % keys.length] ?? '');

describe.skipIf(missing !== undefined)('A journal in a Postgres server', () => {
  let server: PostgresServer;
  let pool: Pool;
  beforeAll(async () => {
    server = await PostgresServer.create();
    pool = server.pool(8);
  });
  afterAll(async () => server.close());
  beforeEach(async () => {
    await pool.query('DROP TABLE IF EXISTS email_platform_journal_v1');
  });

  journalContract(test, () => postgresJournal(pool).store);

  test('processes that start at once create one table', async () => {
    const pools = Array.from({ length: 8 }, () => server.pool(1));
    await Promise.all(pools.map((one) => postgresJournal(one).setup()));
    const claims = pools.map((one, index) =>
      postgresJournal(one).store.claim([claimOf('a', `process ${index}`)]),
    );
    const free = (await Promise.all(claims)).filter(([entry]) => entry === undefined);
    expect(free).toHaveLength(1);
  });

  test('8 connections claim the same keys in different orders: each key has one owner, and no connection waits for ever', async () => {
    const { store } = postgresJournal(pool);
    const keys = keysOf(1_009);
    const owners = new Map<string, string>();
    const racers = keysOf(8).map(async (attempt, racer) => {
      const claims = shuffled(keys, racer + 1).map((key) => claimOf(key, attempt));
      for (let from = 0; from < claims.length; from += 200) {
        const some = claims.slice(from, from + 200);
        const entries = await store.claim(some);
        const won = some.filter((_, index) => entries[index] === undefined);
        for (const { key } of won) {
          expect(owners.get(key)).toBeUndefined();
          owners.set(key, attempt);
        }
        // Every other key is given back, and somebody else may have it.
        const back = won.filter((_, index) => index % 2 === 0);
        for (const { key } of back) owners.delete(key);
        await store.record(back.map((claim) => ({ ...claim, state: 'released', messageIds: [] })));
      }
    });
    await Promise.all(racers);
    const entries = await store.claim(keys.map((key) => claimOf(key, 'last')));
    expect(entries.map((entry) => entry?.attempt)).toEqual(keys.map((key) => owners.get(key)));
  });

  test('a lease that is over is taken over by one of many', async () => {
    const { store } = postgresJournal(pool);
    await store.claim([claimOf('a', 'dead', { leaseMs: 0 })]);
    const claims = keysOf(20).map((attempt) => store.claim([claimOf('a', attempt, { over: 'dead' })]));
    const free = (await Promise.all(claims)).filter(([entry]) => entry === undefined);
    expect(free).toHaveLength(1);
  });

  test('a claim that waited for another one sees its outcome', async () => {
    const journal = postgresJournal(pool);
    await journal.setup();
    const other = await pool.connect();
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO email_platform_journal_v1 VALUES ('default', 'a', '1:hash', 'bulk', 'accepted', 'other', NULL,
        '00000000-0000-0000-0000-000000000000', false, now(), now(), now(), '["id"]')`,
    );
    const claiming = journal.store.claim([claimOf('a')]);
    await waitsForLock(pool);
    await other.query('COMMIT');
    other.release();
    expect(await claiming).toMatchObject([{ state: 'accepted', attempt: 'other', messageIds: ['id'] }]);
  });

  test.each(['BEGIN', 'BEGIN ISOLATION LEVEL SERIALIZABLE'])(
    'a claim on a connection in a transaction (%s) is refused',
    async (begin) => {
      await postgresJournal(pool).setup();
      const client = await pool.connect();
      await client.query(begin);
      await expect(postgresJournal(client).store.claim([claimOf('a')])).rejects.toThrow(
        'inside a transaction',
      );
      await client.query('ROLLBACK');
      client.release();
      expect(await postgresJournal(pool).store.claim([claimOf('a')])).toEqual([undefined]);
    },
  );

  test('a pool whose transactions are serializable claims as well', async () => {
    await pool.query('ALTER DATABASE postgres SET default_transaction_isolation = serializable');
    const strict = server.pool(8);
    await pool.query('ALTER DATABASE postgres RESET default_transaction_isolation');
    const { store } = postgresJournal(strict);
    const claims = keysOf(20).map((attempt) => store.claim([claimOf('a', attempt), claimOf('b', attempt)]));
    const free = (await Promise.all(claims)).flat().filter((entry) => entry === undefined);
    expect(free).toHaveLength(2);
  });

  test('a crash of the server loses no claim, and its broken connections are not in the way', async () => {
    const { store } = postgresJournal(pool);
    await store.claim([claimOf('a')]);
    await server.crash();
    await server.start();
    const entries = await store.claim([claimOf('a', 'two'), claimOf('b', 'two')]);
    expect(entries.map((entry) => entry?.attempt)).toEqual(['one', undefined]);
  });

  test('a claim whose connection is ended is made again', async () => {
    const journal = postgresJournal(pool);
    await journal.store.claim([claimOf('a')]);
    const other = await pool.connect();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM email_platform_journal_v1 FOR UPDATE');
    const claiming = journal.store.claim([claimOf('a', 'two'), claimOf('b', 'two')]);
    await waitsForLock(pool);
    await pool.query('SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted');
    await other.query('COMMIT');
    other.release();
    expect((await claiming).map((entry) => entry?.attempt)).toEqual(['one', undefined]);
  });

  test('a role that may not create tables uses the existing one', async () => {
    await postgresJournal(pool).setup();
    await pool.query('DROP ROLE IF EXISTS sender');
    await pool.query('CREATE ROLE sender LOGIN');
    await pool.query(
      'GRANT SELECT, INSERT, UPDATE, DELETE ON email_platform_journal_v1, email_platform_journal_forgotten_v1 TO sender',
    );
    const journal = postgresJournal(server.pool(1, 'sender'));
    await journal.setup();
    expect(await journal.store.claim([claimOf('a')])).toEqual([undefined]);
    expect(await journal.store.forget('default', Date.now() + 3_600_000)).toBe(0);
  });

  describe('roles with schemas of their own', () => {
    const roles = ['web', 'worker'];
    beforeEach(async () => {
      for (const role of roles)
        await pool.query(`DROP SCHEMA IF EXISTS ${role} CASCADE`).then(async () => {
          await pool.query(`DROP ROLE IF EXISTS ${role}`);
          await pool.query(`CREATE ROLE ${role} LOGIN`);
          await pool.query(`CREATE SCHEMA ${role} AUTHORIZATION ${role}`);
        });
    });
    const tables = async () => {
      const { rows } = await pool.query('SELECT schemaname FROM pg_tables WHERE tablename = $1', [
        'email_platform_journal_v1',
      ]);
      return rows.map((row) => (row as { readonly schemaname: string }).schemaname);
    };

    test('start at once: one of them has the journal, and a key has one owner', async () => {
      const processes = keysOf(8).map((_, index) => server.pool(1, roles[index % 2]));
      const claims = processes.map((one, index) =>
        postgresJournal(one).store.claim([claimOf('a', `process ${index}`)]),
      );
      const ends = await Promise.allSettled(claims);
      expect(await tables()).toHaveLength(1);
      const free = ends.filter((end) => end.status === 'fulfilled' && end.value[0] === undefined);
      expect(free).toHaveLength(1);
      const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
      expect(reasons).toHaveLength(4);
      for (const reason of reasons)
        expect(reason).toMatch(/the schema "(web|worker)" has a journal, .*with the option schema$/);
    });

    test('each have a journal if they name their schemas, and share one if they name the same', async () => {
      for (const schema of roles) {
        const { store } = postgresJournal(server.pool(1, schema), { schema });
        expect(await store.claim([claimOf('a', schema)])).toEqual([undefined]);
      }
      expect((await tables()).sort()).toEqual(roles);
      await pool.query('GRANT USAGE ON SCHEMA web TO worker');
      await pool.query(
        'GRANT SELECT, INSERT, UPDATE, DELETE ON web.email_platform_journal_v1, web.email_platform_journal_forgotten_v1 TO worker',
      );
      const { store } = postgresJournal(server.pool(1, 'worker'), { schema: 'web' });
      expect(await store.claim([claimOf('a', 'two')])).toMatchObject([{ attempt: 'web' }]);
    });

    afterAll(async () => {
      for (const role of roles) await pool.query(`DROP SCHEMA IF EXISTS ${role} CASCADE`);
    });
  });

  test('keys are forgotten while they are claimed, released and accepted', async () => {
    const { store } = postgresJournal(pool);
    const over = new AbortController();
    const forgetting = (async () => {
      while (!over.signal.aborted) await store.forget('default', Date.now() + 3_600_000);
    })();
    const senders = keysOf(4).map(async (attempt) => {
      for (let round = 0; round < 10; round += 1) {
        const claims = shuffled(keysOf(199), round + 1).map((key) => claimOf(key, `${attempt} ${round}`));
        const entries = await store.claim(claims);
        const won = claims.filter((_, index) => entries[index] === undefined);
        const state = round % 2 === 0 ? 'released' : 'accepted';
        await store.record(won.map((claim) => ({ ...claim, state, messageIds: [] })));
      }
    });
    await Promise.all(senders);
    over.abort();
    await forgetting;
  });
});

/** Waits until a statement waits for another. */
async function waitsForLock(pool: Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('SELECT 1 FROM pg_locks WHERE NOT granted');
    if (rows.length > 0) return;
  }
}
