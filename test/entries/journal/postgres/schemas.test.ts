import type { PGlite } from '@electric-sql/pglite';
import { JournalError } from 'email-platform';
import { postgresJournal, type PostgresJournalOptions } from 'email-platform/journal';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emptyPglite } from '../../../support/empty-pglite.ts';
import { runs } from '../../../support/extent.ts';
import { claimOf } from '../claim-of.ts';

const TABLE = 'email_platform_journal_v1';
const SCHEMAS = ['public', 'shop_a', 'it\'s "B"'] as const;
type Schema = (typeof SCHEMAS)[number];

const quoted = (schema: string) => `"${schema.replaceAll('"', '""')}"`;

let database: PGlite;
beforeAll(async () => {
  database = await emptyPglite();
});
beforeEach(async () => {
  for (const schema of SCHEMAS)
    await database.exec(`DROP SCHEMA IF EXISTS ${quoted(schema)} CASCADE; CREATE SCHEMA ${quoted(schema)}`);
});

/** A process: its connections have a search path, which may change from one statement to the next. */
function processOf(schema: Schema, options?: PostgresJournalOptions) {
  const path = { schema };
  const pool = {
    query: async (text: string, values: string[] = []) => {
      await database.exec(`SET search_path TO ${quoted(path.schema)}`);
      return database.query(text, values);
    },
  };
  return { path, journal: postgresJournal(pool, options) };
}

async function schemasWithTable(): Promise<unknown[]> {
  const { rows } = await database.query<{ readonly schema: string }>(
    'SELECT schemaname AS schema FROM pg_tables WHERE tablename = $1 ORDER BY schemaname',
    [TABLE],
  );
  return rows.map(({ schema }) => schema);
}

describe('The schema of a journal in Postgres', () => {
  test('is resolved once: a connection with another search path uses the same table', async () => {
    const { path, journal } = processOf('shop_a');
    expect(await journal.store.claim([claimOf('a')])).toEqual([undefined]);
    path.schema = 'public';
    expect(await journal.store.claim([claimOf('a', 'two')])).toMatchObject([{ attempt: 'one' }]);
    expect(await schemasWithTable()).toEqual(['shop_a']);
  });

  test.each(['setup', 'claim', 'open'] as const)(
    'a journal in another schema is an error of %s, which names both and the option',
    async (method) => {
      await processOf('shop_a').journal.setup();
      const { journal } = processOf('public');
      const use = {
        setup: () => journal.setup(),
        claim: () => journal.store.claim([claimOf('a')]),
        open: () => journal.store.open('default'),
      };
      const error = await use[method]().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(JournalError);
      expect((error as Error).message).toBe(
        'the schema "shop_a" has a journal, and this connection would use the schema "public": name the schema of the journal with the option schema',
      );
      expect(await schemasWithTable()).toEqual(['shop_a']);
    },
  );

  test('so is a second journal that was created by hand', async () => {
    for (const schema of ['public', 'shop_a'] as const)
      await database.exec(postgresJournal(database, { schema }).schema);
    await expect(processOf('public').journal.setup()).rejects.toThrow('the schema "shop_a" has a journal');
    await expect(processOf('shop_a').journal.setup()).rejects.toThrow('the schema "public" has a journal');
  });

  test('a search path without a schema is an error', async () => {
    const { path, journal } = processOf('public');
    path.schema = 'nowhere' as Schema;
    await expect(journal.setup()).rejects.toThrow(
      'the search path of the connection has no schema: name the schema of the journal with the option schema',
    );
    await processOf('shop_a').journal.setup();
    await expect(journal.setup()).rejects.toThrow('no schema; the schema "shop_a" has a journal: name');
    path.schema = 'shop_a';
    await journal.setup();
  });

  test('the option gives each schema a journal, whatever the search path is', async () => {
    for (const schema of SCHEMAS) {
      const { journal } = processOf('public', { schema });
      expect(await journal.store.claim([claimOf('a', schema)])).toEqual([undefined]);
    }
    expect(await schemasWithTable()).toEqual([...SCHEMAS].sort());
    for (const schema of SCHEMAS) {
      const { journal } = processOf('shop_a', { schema });
      expect(await journal.store.claim([claimOf('a', 'two')])).toMatchObject([{ attempt: schema }]);
    }
  });

  test('a table that was used and is missing is an error, and is not created again', async () => {
    const { journal } = processOf('public');
    await journal.store.claim([claimOf('a')]);
    await database.exec(`ALTER TABLE public.${TABLE} RENAME TO old_journal`);
    await expect(journal.store.claim([claimOf('a', 'two')])).rejects.toThrow(
      `the table "public".${TABLE} was there, and is missing now, with its keys`,
    );
    await expect(journal.store.record([{ ...claimOf('a'), state: 'released', messageIds: [] }]))
      .rejects //
      .toThrow(JournalError);
    expect(await schemasWithTable()).toEqual([]);
    await database.exec(`ALTER TABLE public.old_journal RENAME TO ${TABLE}`);
    expect(await journal.store.claim([claimOf('a', 'two')])).toMatchObject([{ attempt: 'one' }]);
  });

  test('so is a table that the first use has found, and that was then dropped', async () => {
    await processOf('public').journal.setup();
    const { journal } = processOf('public');
    await journal.setup();
    await database.exec(`DROP TABLE public.${TABLE}`);
    await expect(journal.store.claim([claimOf('a')])).rejects.toThrow('was there, and is missing now');
  });

  test.each(['', 7, null, 'a\0', 's'.repeat(64)])('%j is not a name of a schema', (schema) => {
    expect(() => postgresJournal(database, { schema } as PostgresJournalOptions)).toThrow(
      'schema must be the name of a schema: 1 to 63 bytes without control characters',
    );
  });

  test('with any search paths of processes, a key has one owner', async () => {
    const schema = fc.constantFrom(...SCHEMAS);
    // In each step, a process claims the key over a connection with this search path; new ones begin at random.
    const steps = fc.array(fc.record({ process: fc.integer({ min: 0, max: 3 }), schema }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (claims) => {
        for (const one of await schemasWithTable())
          await database.exec(`DROP TABLE ${quoted(String(one))}.${TABLE}`);
        const processes = new Map<number, ReturnType<typeof processOf>>();
        let owners = 0;
        for (const [index, { process, schema }] of claims.entries()) {
          const { path, journal } = processes.get(process) ?? processOf(schema);
          processes.set(process, { path, journal });
          path.schema = schema;
          const entries = await journal.store.claim([claimOf('a', `claim ${index}`)]).catch(() => ['failed']);
          if (entries[0] === undefined) owners += 1;
        }
        expect(owners).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(100) },
    );
  });
});
