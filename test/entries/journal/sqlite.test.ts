/** The store over the SQLite of every Node. test/peers/sqlite runs the same tests with better-sqlite3. */
import { EmailPlatform, IdempotencyError } from 'email-platform';
import { sqliteJournal } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { databaseOfThisNode } from '../../support/databases.ts';
import { sqliteClass } from '../../support/sqlite.ts';
import { claimOf } from './claim-of.ts';
import { testSqliteStore } from './sqlite-store.ts';

const { name } = databaseOfThisNode();

describe(`A journal in SQLite, of ${name}`, () => {
  afterAll(testSqliteStore(test, sqliteClass(name)));

  test.each([undefined, null, {}, 'mail.db'])('%j is not a database', (db) => {
    expect(() => sqliteJournal(db as never)).toThrow(
      'db must be a database of node:sqlite or better-sqlite3',
    );
  });

  test("with the emulator's clock, a test plays through 'resend'", async () => {
    const emulator = createEmulator({ limits: false });
    const now = () => emulator.clock.now();
    const journal = sqliteJournal(new (sqliteClass(name))(':memory:'), { now, onUnknown: 'resend' });
    const client = new EmailPlatform({ ...emulator.clientOptions(), journal, retry: false });
    const send = () =>
      client.sending
        .send(
          { from: 'a@mail.example.com', to: 'ann@example.org', subject: 'Hi', text: 'Hi.' },
          { idempotencyKey: 'a' },
        )
        .then(
          ({ message_ids: ids }) => `sent ${ids.length}`,
          (error: unknown) => (error instanceof IdempotencyError ? error.code : String(error)),
        );
    emulator.faults.next({ kind: 'reset-before', match: { path: '/api/send' } });
    expect(await send()).toMatch(/the request failed/);
    expect([await send(), emulator.messages().length]).toEqual(['unknown', 0]);
    emulator.clock.advance(90_000);
    expect([await send(), emulator.messages().length]).toEqual(['unknown', 0]);
    emulator.clock.advance(300_001);
    expect([await send(), emulator.messages().length]).toEqual(['sent 1', 1]);
    expect([await send(), emulator.messages().length]).toEqual(['sent 1', 1]);
  });

  test.each([
    ['resend', 60_000],
    ['release', 0],
  ] as const)('the age of a key of %s counts from the first claim that may have sent', async (as, age) => {
    let now = 0;
    const journal = sqliteJournal(new (sqliteClass(name))(':memory:'), { now: () => now });
    await journal.store.claim([claimOf('a', 'one', { leaseMs: 0 })]);
    expect(await journal.free(['a'], as)).toEqual(['a']);
    now = 60_000;
    await journal.store.claim([claimOf('a', 'two')]);
    const [entry] = await journal.store.claim([claimOf('a', 'three')]);
    expect(entry?.ageMs).toBe(age);
  });

  test.each([
    ['7', /now must be a function that returns the time in milliseconds/],
    [() => NaN, /now must return the time in milliseconds/],
    [() => '1 OR 1', /now must return the time in milliseconds/],
  ])('%j is not a clock', async (now, message) => {
    const open = async () => {
      const { store } = sqliteJournal(new (sqliteClass(name))(':memory:'), { now: now as never });
      await store.open('default');
    };
    await expect(open()).rejects.toThrow(message);
  });
});
