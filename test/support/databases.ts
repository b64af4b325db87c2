/** The SQLite databases for journals that are available on this machine. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sqliteClass, type DatabaseName } from './sqlite.ts';

/** A database, and the Node that runs it. */
export interface DatabaseHere {
  readonly name: DatabaseName;
  readonly node: string;
}

function thisNodeHasSqlite(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}

/** The database that needs only `npm ci`: node:sqlite where this Node has it, SQLite as WebAssembly otherwise. */
export const databaseOfThisNode = (): DatabaseHere => ({
  name: thisNodeHasSqlite() ? 'node:sqlite' : 'node-sqlite3-wasm',
  node: process.execPath,
});

/** A Node 22 or later: the current one if it has node:sqlite, or the one that test/peers/newer-node installs. */
export function newerNode(): string | undefined {
  if (thisNodeHasSqlite()) return process.execPath;
  const installed = fileURLToPath(
    new URL(
      `../peers/newer-node/node_modules/node-${process.platform}-${process.arch}/bin/node`,
      import.meta.url,
    ),
  );
  return existsSync(installed) ? installed : undefined;
}

function hasBetterSqlite(): boolean {
  try {
    new (sqliteClass('better-sqlite3'))(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

/** The available databases that an application can use, each with the Node that runs it. */
export function databasesHere(): readonly DatabaseHere[] {
  const node = newerNode();
  const here: DatabaseHere[] = [
    ...(node === undefined ? [] : [{ name: 'node:sqlite' as const, node }]),
    ...(hasBetterSqlite() ? [{ name: 'better-sqlite3' as const, node: process.execPath }] : []),
  ];
  for (const name of ['node:sqlite', 'better-sqlite3'] as const) {
    if (here.some((one) => one.name === name)) continue;
    process.stderr.write(
      `\n*** The proofs with ${name} are SKIPPED: \`node test/peers/install.mjs sqlite newer-node\` installs it\n`,
    );
  }
  return here;
}
