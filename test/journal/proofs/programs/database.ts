import type { DatabaseName } from '../../../support/databases.ts';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { isBusy } from '../../../../src/journal/sqlite-database.ts';
import type { SqliteDatabase } from '../../../../src/journal/index.ts';

/** A database of either library, as far as the proofs use it. */
export interface Database extends SqliteDatabase {
  function(name: string, options: { varargs: boolean }, call: (...values: unknown[]) => unknown): unknown;
  close(): void;
}

type DatabaseClass = new (file: string) => Database;

/** Opens a database as an application would that shares it between processes. */
export async function openDatabase(name: DatabaseName, file: string): Promise<Database> {
  const Class = await classOf(name);
  const database = new Class(file);
  database.exec('PRAGMA busy_timeout = 10000');
  await makeWal(database);
  database.exec('PRAGMA synchronous = FULL');
  return database;
}

/** Repeats the change of the mode: SQLite allows one process at a time, and does not make the others wait. */
async function makeWal(database: Database): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (tries === 500 || !isBusy(error)) throw error;
      await setTimeout(20);
    }
  }
}

/** Gives a database a clock: its own functions ask for the time by this name. */
export function setClock(database: Database, now: () => number): void {
  database.function('unixepoch', { varargs: true }, (...words) => {
    const seconds = now() / 1000;
    return words.includes('subsec') ? seconds : Math.floor(seconds);
  });
}

async function classOf(name: DatabaseName): Promise<DatabaseClass> {
  if (name === 'node:sqlite') {
    const { DatabaseSync } = (await import(name)) as { DatabaseSync: DatabaseClass };
    return DatabaseSync;
  }
  return createRequire(new URL('../../../peers/sqlite/package.json', import.meta.url))(name) as DatabaseClass;
}
