import { sqliteDeliveries, sqliteJournal, type SqliteDatabase } from 'email-platform/journal';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { databasesHere } from '../../support/databases.ts';
import { journalCommand, testDeliveriesCommand, testJournalCommand } from '../../support/journal-command.ts';

const here = databasesHere();
const folder = mkdtempSync(join(tmpdir(), 'journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isBetter = (name: string) => name === 'better-sqlite3';
/** better-sqlite3 is found where the command is run; node:sqlite everywhere. */
const cwdOf = (name: string) => (isBetter(name) ? import.meta.dirname : folder);

// The file itself is written by better-sqlite3, which is the one that this process has.
describe.skipIf(!here.some(({ name }) => isBetter(name)))('email-platform journal --sqlite', () => {
  const open = (file: string) => {
    const Database = createRequire(import.meta.url)('better-sqlite3') as new (
      file: string,
    ) => SqliteDatabase & { close(): void };
    return new Database(file);
  };

  test.each(here)('shows and settles with $name', async ({ name, node }) => {
    const file = join(folder, `${name.replace(':', '-')}.db`);
    const database = open(file);
    await testJournalCommand(sqliteJournal(database), ['--sqlite', file], { cwd: cwdOf(name), node });
    database.close();
  });

  test.each(here)('shows deliveries with $name', async ({ name, node }) => {
    const file = join(folder, `deliveries-${name.replace(':', '-')}.db`);
    const database = open(file);
    const how = { cwd: cwdOf(name), node };
    await sqliteJournal(database).setup();
    expect(await journalCommand(['deliveries', '--key', 'a', '--sqlite', file], how)).toEqual({
      code: 1,
      out: '',
      err: 'There are no deliveries in this database: check its address\n',
    });
    await testDeliveriesCommand(sqliteDeliveries(database), ['--sqlite', file], how);
    database.close();
  });

  test.each(here)('creates neither a file nor a table, with $name', async ({ name, node }) => {
    const how = { cwd: cwdOf(name), node };
    expect(await journalCommand(['status', '--sqlite', 'nowhere.db'], how)).toEqual({
      code: 1,
      out: '',
      err: 'There is no file "nowhere.db": check --sqlite\n',
    });
    const empty = join(folder, 'empty.db');
    writeFileSync(empty, '');
    const result = { code: 1, out: '', err: 'There is no journal in this database: check its address\n' };
    expect(await journalCommand(['settle', '--sqlite', empty], how)).toEqual(result);
    expect(await journalCommand(['status', '--sqlite', empty], how)).toEqual(result);
    const text = join(folder, 'text.db');
    writeFileSync(text, 'This is not a database, but some text instead of one.');
    const wrong = await journalCommand(['status', '--sqlite', text], how);
    expect(wrong).toEqual({ code: 1, out: '', err: 'file is not a database\n' });
  });
});
