import { ConnectionError, EmailPlatform, JournalError } from 'email-platform';
import { sqliteJournal, type SqliteDatabase } from 'email-platform/journal';
import { createEmulator } from 'email-platform/testing';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { databasesHere } from '../../support/databases.ts';
import { rejection } from '../../support/expect-error.ts';

interface Better extends SqliteDatabase {
  prepare(
    sql: string,
  ): ReturnType<SqliteDatabase['prepare']> & { iterate(): IterableIterator<{ id: number }> };
}
const ROWS =
  'WITH RECURSIVE ids(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < 1200) SELECT id FROM ids';
const isHere = databasesHere().some(({ name }) => name === 'better-sqlite3');

describe.skipIf(!isHere)('While its connection is iterated, the journal says so, and not to retry:', () => {
  function used() {
    const Database = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => Better;
    const database = new Database(':memory:');
    const emulator = createEmulator();
    const client = new EmailPlatform({ ...emulator.clientOptions(), journal: sqliteJournal(database) });
    return { database, emulator, client };
  }
  const base = { from: 'hello@mail.example.com', subject: 'News', text: 'Here is the news.' };
  const SAID = 'its connection is being iterated: give the journal a connection of its own';

  test('to batchAll', async () => {
    const { client, database, emulator } = used();
    function* mails() {
      for (const { id } of database.prepare(ROWS).iterate()) yield { to: `reader${id}@example.org` };
    }
    const run = client.sending.batchAll(mails(), { base, idempotencyKey: ({ to }) => `news/${to}` });
    const { failed, accepted } = await run;
    expect(failed[0]?.error).toMatchObject({ effect: 'none', isRetryable: false });
    expect(failed[0]?.error?.message).toContain(SAID);
    expect(emulator.messages()).toHaveLength(accepted);
  });

  test('to send and settleUnknown in a loop, before and after a table is made', async () => {
    const { client, database, emulator } = used();
    const send = (key: string) =>
      client.sending.send({ ...base, to: 'ann@example.org' }, { idempotencyKey: key });
    const inLoop = async (run: () => PromiseLike<unknown>) => {
      for (const row of database.prepare(ROWS).iterate()) {
        expect(row.id).toBe(1);
        const error = await rejection(run(), JournalError);
        expect(error.isRetryable).toBe(false);
        expect(error.message).toContain(SAID);
        break;
      }
    };
    await inLoop(() => send('a'));
    await send('b');
    await inLoop(() => send('c'));
    await send('a');
    emulator.faults.next({ kind: 'reset-after' });
    await rejection(send('d'), ConnectionError);
    await inLoop(() => client.sending.settleUnknown());
    expect((await client.sending.settleUnknown()).accepted).toMatchObject([{ key: 'd' }]);
    expect(emulator.messages()).toHaveLength(3);
  });
});
