/**
 * Both stores in Postgres. It runs in this process, and has one connection: what several do is tested in
 * test/peers/postgres. Its start takes up to five seconds of the processor's time, so no other file of `npm test` needs it:
 * test/entries/journal/postgres has the other tests.
 */
import type { PGlite } from '@electric-sql/pglite';
import { postgresJournal } from 'email-platform/journal';
import { deliveriesContract, journalContract } from 'email-platform/testing';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { postgresDeliveryStore } from '../../../src/entries/journal/deliveries/postgres-store.ts';
import { DELIVERIES, EVENTS, NOTES } from '../../../src/entries/journal/deliveries/tables.ts';
import { emptyPglite } from '../../support/empty-pglite.ts';
import { claimOf } from './claim-of.ts';
import { testFreeKeys } from './free-keys.ts';

let database: PGlite;
beforeAll(async () => {
  database = await emptyPglite();
});
beforeEach(async () => {
  await database.query('DROP TABLE IF EXISTS email_platform_journal_v1');
});

journalContract(test, () => postgresJournal(database).store);
testFreeKeys(test, (namespace) => postgresJournal(database, { namespace }));

describe('Deliveries in Postgres', () => {
  beforeEach(async () => {
    await database.exec(`DROP TABLE IF EXISTS ${DELIVERIES}, ${EVENTS}, ${NOTES}`);
  });
  deliveriesContract(test, () => postgresDeliveryStore(database, () => Promise.resolve()));
});

describe('A journal in Postgres', () => {
  test('a claim without a row in the response fails, instead of counting as a claim', async () => {
    const journal = postgresJournal(database);
    await journal.setup();
    await database.exec(`CREATE FUNCTION keep_final() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF OLD.state = 'accepted' THEN RETURN NULL; END IF; RETURN NEW; END $$;
      CREATE TRIGGER keep_final BEFORE UPDATE ON email_platform_journal_v1
        FOR EACH ROW EXECUTE FUNCTION keep_final()`);
    const { store } = journal;
    await store.claim([claimOf('a')]);
    await store.record([{ ...claimOf('a'), state: 'accepted', messageIds: ['id'] }]);
    await expect(store.claim([claimOf('b', 'two'), claimOf('a', 'two')])).rejects.toThrow(
      'Postgres returned no row for a claim: a trigger of the table may have hidden it',
    );
    await database.exec('DROP TABLE email_platform_journal_v1; DROP FUNCTION keep_final');
  });

  test('its schema creates the table, as often as it is run', async () => {
    const journal = postgresJournal(database);
    await database.exec(journal.schema);
    await database.exec(journal.schema);
    await journal.setup();
    expect(await journal.store.claim([claimOf('a')])).toEqual([undefined]);
  });

  test('a claim inside a transaction of the caller is refused, and frees the key if that is committed', async () => {
    const journal = postgresJournal(database);
    await journal.setup();
    await database.exec('BEGIN');
    await expect(journal.store.claim([claimOf('a')])).rejects.toThrow('inside a transaction');
    await database.exec('COMMIT');
    expect(await journal.store.claim([claimOf('a', 'two')])).toEqual([undefined]);
  });

  test('nor does the table that the caller has created, and rolled back, lead to an error later', async () => {
    const journal = postgresJournal(database);
    await database.exec('BEGIN');
    await journal.setup();
    await database.exec('ROLLBACK');
    expect(await journal.store.claim([claimOf('a')])).toEqual([undefined]);
  });

  test('an error of the database is passed on at once', async () => {
    const statements: string[] = [];
    const failing = {
      query: (text: string) => {
        statements.push(text);
        return Promise.reject(Object.assign(new Error('permission denied'), { code: '42501' }));
      },
    };
    await expect(postgresJournal(failing).store.open('default')).rejects.toThrow('permission denied');
    expect(statements).toHaveLength(1);
  });

  test.each([
    { code: '40P01' },
    { code: '57P03' },
    { code: 'ECONNREFUSED' },
    { message: 'Connection terminated unexpectedly' },
  ])('a statement that fails with %j is tried again', async ({ code, message = 'not now' }) => {
    let failures = 3;
    const restarting = {
      query: async (text: string, values: string[] = []) => {
        failures -= 1;
        if (failures < 0) return database.query(text, values);
        throw Object.assign(new Error(message), code === undefined ? {} : { code });
      },
    };
    expect(await postgresJournal(restarting).store.claim([claimOf('a')])).toEqual([undefined]);
  });

  test('a claim that was committed, and whose answer was lost, is had when it is made again', async () => {
    let isLost = false;
    const losing = {
      query: async (text: string, values: string[] = []) => {
        const result = await database.query(text, values);
        if (isLost || !text.startsWith('INSERT')) return result;
        isLost = true;
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      },
    };
    const journal = postgresJournal(losing);
    await journal.setup();
    expect(await journal.store.claim([claimOf('a')])).toEqual([undefined]);
    expect(isLost).toBe(true);
    expect(await journal.store.claim([claimOf('a', 'two')])).toMatchObject([{ attempt: 'one' }]);
  });

  test('a take-over that was committed, and whose answer was lost, is not had once an event has settled the key', async () => {
    const { store } = postgresJournal(database);
    await store.claim([claimOf('a', 'one', { leaseMs: 0 })]);
    let losses = 1;
    const losing = {
      query: async (text: string, values: string[] = []) => {
        const result = await database.query(text, values);
        if (!text.startsWith('INSERT') || (losses -= 1) < 0) return result;
        await store.record([{ ...claimOf('a'), attempt: '', state: 'accepted', messageIds: ['id'] }]);
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      },
    };
    const again = postgresJournal(losing).store.claim([claimOf('a', 'two', { over: 'one' })]);
    expect(await again).toMatchObject([{ state: 'accepted', messageIds: ['id'] }]);
    expect(losses).toBeLessThan(0);
  });

  test('keys that were freed, and the answer was lost, are not freed again from an attempt that has had them since', async () => {
    const { store } = postgresJournal(database);
    await store.claim([claimOf('a', 'one', { leaseMs: 0 }), claimOf('b', 'one', { leaseMs: 0 })]);
    let losses = 1;
    const losing = {
      query: async (text: string, values: string[] = []) => {
        const result = await database.query(text, values);
        if (!text.includes('UPDATE') || (losses -= 1) < 0) return result;
        await store.claim([claimOf('a', 'two')]);
        await store.record([{ ...claimOf('a', 'two'), state: 'unknown', messageIds: [] }]);
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      },
    };
    expect(await postgresJournal(losing).free(['a', 'b'], 'release')).toEqual(['b']);
    expect(losses).toBeLessThan(0);
    expect(await store.open('default')).toMatchObject([{ key: 'a', attempt: 'two', state: 'unknown' }]);
  });

  test('the same key twice in a call is claimed once, and records of it are made in order', async () => {
    const { store } = postgresJournal(database);
    const claims = [claimOf('a'), claimOf('b'), claimOf('a', 'two')];
    const [first, other, second] = await store.claim(claims);
    expect([first, other, second?.attempt]).toEqual([undefined, undefined, 'one']);
    const of = (state: 'released' | 'accepted', messageIds: string[]) => {
      return { ...claimOf('a'), state, messageIds };
    };
    await store.record([of('released', []), of('accepted', ['id'])]);
    expect(await store.claim([claimOf('a', 'three')])).toMatchObject([
      { state: 'accepted', messageIds: ['id'] },
    ]);
  });

  test('forgets more keys than one statement looks at', async () => {
    const { store } = postgresJournal(database);
    await store.claim([claimOf('a'), claimOf('b')]);
    await store.record([{ ...claimOf('b'), state: 'released', messageIds: [] }]);
    // Copies of the second, which take a twentieth of the time of claims.
    await database.exec(`INSERT INTO email_platform_journal_v1
      SELECT (jsonb_populate_record(row, jsonb_build_object('key', 'b ' || nth))).*
        FROM email_platform_journal_v1 AS row, generate_series(1, 11998) AS nth WHERE row.key = 'b'`);
    expect(await store.forget('default', Date.now() + 3_600_000)).toBe(11_999);
    expect(await store.forget('default', Date.now() + 3_600_000)).toBe(0);
  });

  test.each([undefined, null, {}, 'postgres://localhost'])('%j is not a database', (db) => {
    expect(() => postgresJournal(db as never)).toThrow(
      'db must be a pool of pg, the sql of postgres.js, or PGlite',
    );
  });
});
