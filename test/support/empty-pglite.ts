import { PGlite } from '@electric-sql/pglite';

/** One for all files of a process, because its start takes seconds. */
let shared: Promise<PGlite> | undefined;

/** Postgres in this process, with the schema `public` and nothing in it. No test closes it. */
export async function emptyPglite(): Promise<PGlite> {
  const database = await (shared ??= PGlite.create());
  const { rows } = await database.query<{ readonly name: string }>(
    "SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$'",
  );
  const dropped = rows.map(({ name }) => `DROP SCHEMA ${name} CASCADE;`).join('\n');
  await database.exec(`RESET ALL; ${dropped} CREATE SCHEMA public`);
  return database;
}
