/** The databases of journals, with the libraries that the user has installed. */
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
import { TABLE } from '../journal/rows.ts';
import { Failure } from './failure.ts';

/** Where a journal is. */
export interface JournalPlace {
  readonly kind: 'sqlite' | 'postgres';
  /** A file, or a URL. */
  readonly at: string;
}

/** An open journal. */
export interface OpenJournal {
  readonly journal: DatabaseJournal;
  readonly close: () => unknown;
}

type Sqlite = SqliteDatabase & { close(): void };
type Postgres = PostgresDatabase & { end(): Promise<void> };

/** A package that is installed where the command is run, rather than where this one is. */
function installed(name: string): unknown {
  return tried(() => createRequire(join(process.cwd(), 'any.js'))(name) as unknown);
}

function sqliteClass(): new (file: string) => Sqlite {
  const builtin = builtinModule('node:sqlite') as { DatabaseSync: new (file: string) => Sqlite } | undefined;
  const found = builtin?.DatabaseSync ?? installed('better-sqlite3');
  if (found !== undefined) return found as new (file: string) => Sqlite;
  throw new Failure('--sqlite needs Node 22.13 or later, or: npm install better-sqlite3');
}

function postgresPool(connectionString: string): Postgres {
  const pg = installed('pg') as
    { Pool: new (options: { connectionString: string; max: number }) => Postgres } | undefined;
  if (pg === undefined) throw new Failure('--postgres needs the package pg: npm install pg');
  return new pg.Pool({ connectionString, max: 1 });
}

async function openSqlite(file: string, options: JournalOptions): Promise<OpenJournal> {
  const Database = sqliteClass();
  // It would be created.
  if (!existsSync(file)) throw new Failure(`There is no file "${file}"`);
  const database = new Database(file);
  const close = () => database.close();
  return whereTable({ journal: sqliteJournal(database, options), close }, () =>
    database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').all(TABLE),
  );
}

async function openPostgres(url: string, options: JournalOptions): Promise<OpenJournal> {
  const pool = postgresPool(url);
  return whereTable({ journal: postgresJournal(pool, options), close: () => pool.end() }, async () => {
    const { rows } = await pool.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [TABLE]);
    return rows;
  });
}

/** The first use of a journal creates its table. This command does not: it may be the wrong database. */
async function whereTable(
  opened: OpenJournal,
  look: () => readonly unknown[] | Promise<readonly unknown[]>,
): Promise<OpenJournal> {
  try {
    if ((await look()).length > 0) return opened;
    throw new Failure('There is no journal in this database');
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * Opens a journal that is there.
 *
 * @throws {@link Failure} if there is none, or no library for it; an error of the library for all else
 */
export const openJournal = ({ kind, at }: JournalPlace, options: JournalOptions): Promise<OpenJournal> =>
  kind === 'sqlite' ? openSqlite(at, options) : openPostgres(at, options);
