import { setTimeout } from 'node:timers/promises';
import { isBusy } from '../../../../../src/entries/journal/sqlite-database.ts';
import { sqliteClass, type Database, type DatabaseName } from '../../../../support/sqlite.ts';

/** Opens a database as an application would that shares it between processes. */
export async function openDatabase(name: DatabaseName, file: string): Promise<Database> {
  const database = new (sqliteClass(name))(file);
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
