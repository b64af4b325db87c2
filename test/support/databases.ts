/** The databases for journals that are available on this machine. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The libraries of databases that a journal can use. */
export type DatabaseName = 'node:sqlite' | 'better-sqlite3';

const peers = (path: string) => fileURLToPath(new URL(`../peers/${path}`, import.meta.url));

/** A Node with node:sqlite: the current one if it has the module, or the one that test/peers/newer-node installs. */
function nodeWithSqlite(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return process.execPath;
  const installed = peers(`newer-node/node_modules/node-${process.platform}-${process.arch}/bin/node`);
  return existsSync(installed) ? installed : undefined;
}

function hasBetterSqlite(): boolean {
  try {
    const Database = createRequire(peers('sqlite/package.json'))('better-sqlite3') as new (file: string) => {
      close(): void;
    };
    new Database(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

/** The available databases, each with the Node that runs it. */
export function databasesHere(): { readonly name: DatabaseName; readonly node: string }[] {
  const node = nodeWithSqlite();
  const here = [
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
