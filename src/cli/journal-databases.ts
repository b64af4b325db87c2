/** Opens the databases of journals, with the user's installed libraries. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { builtinModule } from '../core/platform.ts';
import { tried } from '../core/tried.ts';
import { DELIVERIES } from '../entries/journal/deliveries/tables.ts';
import {
  postgresDeliveries,
  postgresJournal,
  sqliteDeliveries,
  sqliteJournal,
  type AddressPrivacy,
  type DatabaseJournal,
  type Deliveries,
  type JournalOptions,
  type PostgresDatabase,
  type SqliteDatabase,
} from '../entries/journal/index.ts';
import { lookForTables, schemaOf } from '../entries/journal/postgres-table.ts';
import { TABLE } from '../entries/journal/rows.ts';
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

/** Open deliveries. */
export interface OpenDeliveries {
  readonly deliveries: Deliveries;
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

function sqliteFile(file: string): Sqlite {
  const Database = sqliteClass();
  // The library would create the file.
  if (!existsSync(file)) throw new Failure(`There is no file "${file}": check --sqlite`);
  return new Database(file);
}

const sqliteHas = (database: Sqlite, table: string) =>
  database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').all(table).length > 0;

/** Whether a database has a table, in this schema or in the one that the search path decides. */
async function postgresHas(
  pool: Postgres,
  schema: string | undefined,
  table: string,
  what: string,
): Promise<boolean> {
  const kind = { table, what };
  const look = await lookForTables(async (text, values) => (await pool.query(text, values)).rows, kind);
  const place = schema ?? (look.schemas.length > 0 ? schemaOf(look, kind) : undefined);
  return look.schemas.some((one) => one === place);
}

/** Fails without a table. The first use would create it, possibly in the wrong database. */
async function whereTable<Opened extends { readonly close: () => unknown }>(
  opened: Opened,
  what: string,
  look: () => boolean | Promise<boolean>,
): Promise<Opened> {
  try {
    if (await look()) return opened;
    throw new Failure(
      `There ${what === 'deliveries' ? 'are' : 'is'} no ${what} in this database: check its address`,
    );
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openSqlite(file: string, options: JournalOptions): Promise<OpenJournal> {
  const database = sqliteFile(file);
  const close = () => database.close();
  return whereTable({ journal: sqliteJournal(database, options), close }, 'journal', () =>
    sqliteHas(database, TABLE),
  );
}

async function openPostgres({ at, schema }: PostgresPlace, options: JournalOptions): Promise<OpenJournal> {
  const pool = postgresPool(at);
  const journal = postgresJournal(pool, { ...options, schema });
  return whereTable({ journal, close: () => pool.end() }, 'journal', () =>
    postgresHas(pool, schema, TABLE, 'a journal'),
  );
}

/**
 * Opens an existing journal.
 *
 * @throws {@link Failure} without a journal or a library for its database; an error of the library in all other cases
 */
export const openJournal = (place: JournalPlace, options: JournalOptions): Promise<OpenJournal> =>
  place.kind === 'sqlite' ? openSqlite(place.at, options) : openPostgres(place, options);

/**
 * Opens existing deliveries, with the journal that is beside them.
 *
 * @throws {@link Failure} without deliveries or a library for their database; an error of the library in all other cases
 */
export async function openDeliveries(
  place: JournalPlace,
  options: JournalOptions,
  addresses: AddressPrivacy,
): Promise<OpenDeliveries> {
  const { namespace } = options;
  if (place.kind === 'sqlite') {
    const database = sqliteFile(place.at);
    const close = () => database.close();
    await whereTable({ close }, 'deliveries', () => sqliteHas(database, DELIVERIES));
    const journal = sqliteHas(database, TABLE) ? sqliteJournal(database, options) : undefined;
    return { deliveries: sqliteDeliveries(database, { journal, namespace, addresses }), close };
  }
  const { at, schema } = place;
  const pool = postgresPool(at);
  const close = () => pool.end();
  const has = (table: string, what: string) => postgresHas(pool, schema, table, what);
  await whereTable({ close }, 'deliveries', () => has(DELIVERIES, 'deliveries'));
  // A journal in a schema that was not named is none of these deliveries.
  const hasJournal = await has(TABLE, 'a journal').catch(() => false);
  const journal = hasJournal ? postgresJournal(pool, { ...options, schema }) : undefined;
  return { deliveries: postgresDeliveries(pool, { journal, namespace, addresses, schema }), close };
}
