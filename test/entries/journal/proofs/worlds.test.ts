/** `WORLDS=30 TEST_SEED=1` runs more worlds of each kind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { databasesHere } from '../../../support/databases.ts';
import { isFull, SEED } from '../../../support/extent.ts';
import { missingPgBouncer, startPgBouncer, type PgBouncer } from '../../../support/pgbouncer.ts';
import { missingPostgres, PostgresServer } from '../../../support/postgres-server.ts';
import type { DeliveriesOrder } from './programs/database.ts';
import { proveWorld } from './worlds.ts';

const WORLDS = Number(process.env.WORLDS ?? (isFull ? 10 : 1));
const FIRST = SEED ?? Math.floor(Math.random() * 1e9);
const ADDRESSES = ['plain', { hash: 'a secret of the shop' }, 'none'] as const;
const timeout = 1_800_000;

/** Runs worlds, each in an empty database. */
async function prove(
  what: string,
  node: string,
  databaseOf: (world: number) => DeliveriesOrder | Promise<DeliveriesOrder>,
) {
  for (let world = 0; world < WORLDS; world += 1) {
    const seed = FIRST + world;
    const addresses = ADDRESSES[world % 3] ?? 'plain';
    const startedAt = performance.now();
    const figures = await proveWorld({ seed, node, emails: 40, addresses, ...(await databaseOf(world)) });
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    process.stdout.write(`${what}, seed ${seed}, ${seconds} s: ${JSON.stringify(figures)}\n`);
  }
}

describe('nothing is left of recipients who are forgotten while others record, prune and are killed', () => {
  test.each(databasesHere())('in a file of $name', { timeout }, async ({ name, node }) => {
    const folder = mkdtempSync(join(tmpdir(), 'worlds-'));
    await prove(name, node, (world) => ({ sqlite: { name, file: join(folder, `${world}.db`) } }));
    rmSync(folder, { recursive: true, force: true });
  });

  const missing = missingPostgres();
  if (missing !== undefined) process.stderr.write(`\n*** The worlds in Postgres are SKIPPED. ${missing}\n\n`);
  describe.skipIf(missing !== undefined)('in Postgres', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await PostgresServer.create();
    });
    afterAll(async () => server.close());

    /** Runs worlds over an address of the server. */
    const proveAt = (what: string, address: string) =>
      prove(what, process.execPath, async () => {
        const names = ['deliveries', 'delivery_events', 'delivery_notes', 'journal', 'journal_forgotten'];
        const tables = names.map((name) => `email_platform_${name}_v1`).join(', ');
        await server.pool(1).query(`DROP TABLE IF EXISTS ${tables}`);
        return { postgres: address };
      });

    test('by default', { timeout }, () => proveAt('Postgres', server.url()));

    test('with serializable transactions', { timeout }, () =>
      proveAt('serializable', `${server.url()}?options=-c%20default_transaction_isolation%3Dserializable`),
    );

    const noPooler = missingPgBouncer();
    if (noPooler !== undefined)
      process.stderr.write(`\n*** The worlds behind a pooler are SKIPPED. ${noPooler}\n\n`);
    test.skipIf(noPooler !== undefined)('behind PgBouncer, per statement', { timeout }, async () => {
      const pooler: PgBouncer = await startPgBouncer(server.port);
      try {
        await proveAt('PgBouncer', pooler.url);
      } finally {
        await pooler.stop();
      }
    });
  });
});
