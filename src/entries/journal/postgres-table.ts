/**
 * The table of a journal in a Postgres database. Its schema is resolved once, and stands in every statement: another
 * connection may have another search path, in which the table would be missing, or another one.
 *
 * Without the option `schema`, a database has one journal. A second one, which a role with another search path would
 * create, is empty: each of its keys would be posted again.
 */
import { JournalError } from '../../core/errors.ts';
import { postgresSchema, tableIn } from './postgres-schema.ts';
import { checkNames, NAMES, TABLE } from './rows.ts';

/** Runs a statement that may safely run twice, and returns its rows. */
export type Query = (text: string, values: string[]) => Promise<readonly unknown[]>;

/** The id of the transaction of a statement, as a column. */
export const XACT = 'pg_current_xact_id()::text AS xact';

/** Whether the transaction of a statement is committed. On a connection inside a caller's transaction, it is not yet. */
export async function isCommitted(query: Query, xact: string): Promise<boolean> {
  const [row] = await query('SELECT pg_xact_status($1::text::xid8) AS status', [xact]);
  return (row as { readonly status: unknown } | undefined)?.status === 'committed';
}

/** The purpose of a table. */
export interface TableKind {
  readonly table: string;
  /** The statements that create it, and the tables beside it. */
  readonly schemaIn: (schema: string) => string;
  /** The content of a schema with the table. */
  readonly what: string;
  /** The loss if the table is gone. */
  readonly rows: string;
}

const JOURNAL: TableKind = { table: TABLE, schemaIn: postgresSchema, what: 'a journal', rows: 'keys' };

/** The tables of this name in the database, also those of schemas that the role has no rights for. */
const tablesNamed = (
  table: string,
) => `pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relname = '${table}' AND c.relkind IN ('r', 'p', 'f', 'v') AND c.relpersistence <> 't'`;

/** One row for each table, or one without a table. */
const lookFor = (table: string) => `SELECT current_schema()::text AS here, t.schema, t.is_visible
  FROM (SELECT 1) AS one LEFT JOIN (
    SELECT n.nspname::text AS schema, pg_catalog.pg_table_is_visible(c.oid)::int AS is_visible FROM ${tablesNamed(table)}
  ) AS t ON true ORDER BY t.schema`;

interface LookRow {
  /** The first schema of the search path that exists; null if there is none. */
  readonly here: string | null;
  /** The schema of a table. */
  readonly schema: string | null;
  /** 1 if the search path finds this table. */
  readonly is_visible: unknown;
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Creates the table, unless it exists; or, if no schema was named, unless any schema has it. Two processes may start at
 * once, so the statement takes a lock. A role without the right to create tables can use an existing one.
 */
const setUpIn = (schema: string, isNamed: boolean, { table, schemaIn }: TableKind) =>
  `DO ${literal(`BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('${table}'));
  IF NOT EXISTS (SELECT FROM ${tablesNamed(table)}${isNamed ? ` AND n.nspname = ${literal(schema)}` : ''}) THEN
    ${schemaIn(schema)}
  END IF;
END`)}`;

/** Where the tables of a kind are. */
export interface Look {
  /** The schema that the search path of this connection decides; undefined if it has none. */
  readonly here: string | undefined;
  /** All schemas with a table. */
  readonly schemas: readonly string[];
}

/** Looks for the tables of a kind, by default those of journals, in the whole database. */
export async function lookForTables(
  query: Query,
  { table }: Pick<TableKind, 'table'> = JOURNAL,
): Promise<Look> {
  const rows = (await query(lookFor(table), [])) as readonly LookRow[];
  const visible = rows.find(({ is_visible }) => Number(is_visible) === 1)?.schema;
  return {
    here: visible ?? rows[0]?.here ?? undefined,
    schemas: rows.flatMap(({ schema }) => schema ?? []),
  };
}

/**
 * The schema of a table without the option `schema`.
 *
 * @throws JournalError if another schema has a table, or if the search path has no schema
 */
export function schemaOf({ here, schemas }: Look, { what }: Pick<TableKind, 'what'> = JOURNAL): string {
  const other = schemas.find((schema) => schema !== here);
  const remedy = `name the schema of the ${what.replace('a ', '')} with the option schema`;
  if (here === undefined) {
    const where = other === undefined ? '' : `; the schema "${other}" has ${what}`;
    throw new JournalError(`the search path of the connection has no schema${where}: ${remedy}`);
  }
  if (other === undefined) return here;
  throw new JournalError(
    `the schema "${other}" has ${what}, and this connection would use the schema "${here}": ${remedy}`,
  );
}

/** The table of one journal, or of another kind. */
export class PostgresTable {
  readonly #query: Query;
  readonly #kind: TableKind;
  readonly #named: string | undefined;
  #schema: string | undefined;
  #finding: Promise<string> | undefined;
  #mayBeMissing = true;

  constructor(query: Query, named: string | undefined, kind: TableKind = JOURNAL) {
    this.#query = query;
    this.#kind = kind;
    this.#named = named;
    this.#schema = named;
  }

  /** Its schema, once it is found. */
  get schema(): string | undefined {
    return this.#schema;
  }

  /** Finds the table, and creates it if it is missing. Resolves to its name in statements. */
  find(): Promise<string> {
    this.#finding ??= this.#find().catch((error: unknown) => {
      this.#finding = undefined;
      throw error;
    });
    return this.#finding;
  }

  /** The table has keys: if it is missing later, they are lost, and a new table would post them again. */
  used(): void {
    this.#mayBeMissing = false;
  }

  /** A statement did not find the table. Creates it again only if the caller has rolled back its creation. */
  missing(): Promise<string> {
    if (!this.#mayBeMissing) {
      const table = tableIn(this.#schema, this.#kind.table);
      throw new JournalError(`the table ${table} was there, and is missing now, with its ${this.#kind.rows}`);
    }
    this.#finding = undefined;
    return this.find();
  }

  async #find(): Promise<string> {
    checkNames((await this.#query(NAMES, []))[0]);
    const look = await lookForTables(this.#query, this.#kind);
    const schema = (this.#schema ??= schemaOf(look, this.#kind));
    if (look.schemas.includes(schema)) this.used();
    else {
      const isNamed = this.#named !== undefined;
      await this.#query(setUpIn(schema, isNamed, this.#kind), []);
      // A process with another search path may have created a table meanwhile.
      if (!isNamed) schemaOf({ ...(await lookForTables(this.#query, this.#kind)), here: schema }, this.#kind);
    }
    return tableIn(schema, this.#kind.table);
  }
}
