import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import {
  postgresDeliveries,
  postgresJournal,
  sqliteDeliveries,
  sqliteJournal,
  type DatabaseDeliveries,
  type DeliveriesOptions,
  type PostgresDatabase,
} from '../../../../../src/entries/journal/index.ts';
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

/** The database of deliveries. */
export interface DeliveriesOrder {
  readonly sqlite?: { readonly name: DatabaseName; readonly file: string } | undefined;
  readonly postgres?: string | undefined;
}

/** Deliveries with a journal, and a function that reads a table of their database. */
export interface OpenDeliveries {
  readonly deliveries: DatabaseDeliveries;
  readonly rowsOf: (table: string) => Promise<readonly unknown[]>;
}

export async function openDeliveries(
  { sqlite, postgres }: DeliveriesOrder,
  options: DeliveriesOptions = {},
): Promise<OpenDeliveries> {
  if (sqlite !== undefined) {
    const database = await openDatabase(sqlite.name, sqlite.file);
    const journal = sqliteJournal(database);
    return {
      deliveries: sqliteDeliveries(database, { ...options, journal }),
      rowsOf: (table) => Promise.resolve(database.prepare(`SELECT * FROM ${table}`).all()),
    };
  }
  const require = createRequire(import.meta.url.replace(/(.*\/test\/).*/, '$1peers/postgres/package.json'));
  const { Pool } = require('pg') as {
    readonly Pool: new (
      poolOptions: object,
    ) => PostgresDatabase & { on(event: 'error', listener: () => void): void };
  };
  const pool = new Pool({ connectionString: postgres, max: 4 });
  pool.on('error', () => undefined);
  return {
    deliveries: postgresDeliveries(pool, { ...options, journal: postgresJournal(pool) }),
    rowsOf: async (table) => (await pool.query(`SELECT * FROM ${table}`)).rows,
  };
}
