/** Opens the databases of journals, with the user's installed libraries. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { builtinModule } from '../core/platform.ts';
import { tried } from '../core/tried.ts';
import {
  postgresJournal,
  sqliteJournal,
  type DatabaseJournal,
  type JournalOptions,
  type PostgresDatabase,
  type SqliteDatabase,
} from '../journal/index.ts';
import { lookForTables, schemaOf } from '../journal/postgres-table.ts';
import { TABLE } from '../journal/rows.ts';
import { Failure } from './failure.ts';

/** The location of a journal. */
export type JournalPlace = SqlitePlace | PostgresPlace;

interface SqlitePlace {
  readonly kind: 'sqlite';
  /** A file. */
  readonly at: string;
}

interface PostgresPlace {
  readonly kind: 'postgres';
  /** A URL. */
  readonly at: string;
  /** The schema of the table. */
  readonly schema: string | undefined;
}

/** An open journal. */
export interface OpenJournal {
  readonly journal: DatabaseJournal;
  readonly close: () => unknown;
}

type Sqlite = SqliteDatabase & { close(): void };
type Postgres = PostgresDatabase & { end(): Promise<void> };

/** Loads a package from the folder in which the command runs. */
function installed(name: string): unknown {
  return tried(() => createRequire(join(process.cwd(), 'any.js'))(name) as unknown);
}

function sqliteClass(): new (file: string) => Sqlite {
  const builtin = builtinModule('node:sqlite') as { DatabaseSync: new (file: string) => Sqlite } | undefined;
  const Database = builtin?.DatabaseSync ?? installed('better-sqlite3');
  if (Database !== undefined) return Database as new (file: string) => Sqlite;
  throw new Failure('--sqlite needs Node 22.13 or later, or better-sqlite3: npm install better-sqlite3');
}

function postgresPool(connectionString: string): Postgres {
  const pg = installed('pg') as
    | { Pool: new (options: { connectionString: string; max: number }) => Postgres }
    | undefined;
  if (pg === undefined) throw new Failure('--postgres needs the package pg: npm install pg');
  return new pg.Pool({ connectionString, max: 1 });
}

async function openSqlite(file: string, options: JournalOptions): Promise<OpenJournal> {
  const Database = sqliteClass();
  // The library would create the file.
  if (!existsSync(file)) throw new Failure(`There is no file "${file}": check --sqlite`);
  const database = new Database(file);
  const close = () => database.close();
  return whereTable({ journal: sqliteJournal(database, options), close }, () =>
    database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').all(TABLE),
  );
}

async function openPostgres({ at, schema }: PostgresPlace, options: JournalOptions): Promise<OpenJournal> {
  const pool = postgresPool(at);
  const journal = postgresJournal(pool, { ...options, schema });
  return whereTable({ journal, close: () => pool.end() }, async () => {
    const look = await lookForTables(async (text, values) => (await pool.query(text, values)).rows);
    const place = schema ?? (look.schemas.length > 0 ? schemaOf(look) : undefined);
    return look.schemas.filter((one) => one === place);
  });
}

/** Fails without a table. The first use of a journal would create it, possibly in the wrong database. */
async function whereTable(
  opened: OpenJournal,
  look: () => readonly unknown[] | Promise<readonly unknown[]>,
): Promise<OpenJournal> {
  try {
    if ((await look()).length > 0) return opened;
    throw new Failure('There is no journal in this database: check its address');
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * Opens an existing journal.
 *
 * @throws {@link Failure} without a journal or a library for its database; an error of the library in all other cases
 */
export const openJournal = (place: JournalPlace, options: JournalOptions): Promise<OpenJournal> =>
  place.kind === 'sqlite' ? openSqlite(place.at, options) : openPostgres(place, options);
