import { PGlite } from '@electric-sql/pglite';
import { existsSync, mkdirSync, openAsBlob, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One for all files of a process. */
let shared: Promise<PGlite> | undefined;

/** The package's version. Its `package.json` is not exported. */
function versionOfPglite(): string {
  const { resolve } = createRequire(import.meta.url);
  const file = `${dirname(resolve('@electric-sql/pglite'))}/../package.json`;
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

/** Starts it with the files of a new database. To make them takes four seconds, so a copy of them stays on disk. */
async function start(): Promise<PGlite> {
  const path = fileURLToPath(new URL(`../../.tmp/pglite-${versionOfPglite()}.tar`, import.meta.url));
  if (existsSync(path)) return PGlite.create({ loadDataDir: await openAsBlob(path) });
  const database = await PGlite.create();
  const files = await database.dumpDataDir('none');
  // Another worker of Vitest may write them too: neither reads half of them.
  const written = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(written, Buffer.from(await files.arrayBuffer()));
  renameSync(written, path);
  return database;
}

/** Postgres in this process, with the schema `public` and nothing in it. No test closes it. */
export async function emptyPglite(): Promise<PGlite> {
  const database = await (shared ??= start());
  const { rows } = await database.query<{ readonly name: string }>(
    "SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$'",
  );
  const dropped = rows.map(({ name }) => `DROP SCHEMA ${name} CASCADE;`).join('\n');
  await database.exec(`RESET ALL; ${dropped} CREATE SCHEMA public`);
  return database;
}
