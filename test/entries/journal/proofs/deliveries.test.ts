/**
 * `RECEIVED_EMAILS=20000 TEST_SEED=1` is the proof in full, which `npm run test:all` runs with two seeds. Without
 * `TEST_ALL`, it has a twentieth of the emails.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { databasesHere } from '../../../support/databases.ts';
import { isFull, SEED } from '../../../support/extent.ts';
import { missingPostgres, PostgresServer } from '../../../support/postgres-server.ts';
import type { ReceiverOrder } from './programs/receiver.ts';
import { startReceiver } from './receiver-processes.ts';
import { proveReceivers } from './receivers.ts';

const EMAILS = Number(process.env.RECEIVED_EMAILS ?? (isFull ? 20_000 : 1_000));
const seed = SEED ?? Math.floor(Math.random() * 1e9);
const seeds = isFull ? [seed, seed + 1] : [seed];

async function prove(name: string, one: number, node: string, database: Omit<ReceiverOrder, 'secret'>) {
  let secret = '';
  const startedAt = performance.now();
  const figures = await proveReceivers({
    seed: one,
    emails: EMAILS,
    start: (given) => {
      secret = given;
      return startReceiver(node, { secret, ...database });
    },
    recorded: async function* () {
      const reader = await startReceiver(node, { secret, ...database });
      yield* reader.recorded();
      reader.kill();
    },
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stdout.write(`${name}, seed ${one}, ${seconds} s: ${JSON.stringify(figures)}\n`);
}

describe('three receivers that are killed at random record every status', () => {
  test.each(databasesHere())('in a file of $name', { timeout: 1_800_000 }, async ({ name, node }) => {
    for (const one of seeds) {
      const folder = mkdtempSync(join(tmpdir(), 'receivers-'));
      await prove(name, one, node, { sqlite: { name, file: join(folder, 'mail.db') } });
      rmSync(folder, { recursive: true, force: true });
    }
  });

  const missing = missingPostgres();
  if (missing !== undefined) process.stderr.write(`\n*** The proof with Postgres is SKIPPED. ${missing}\n\n`);
  test.skipIf(missing !== undefined)('in Postgres', { timeout: 1_800_000 }, async () => {
    for (const one of seeds) {
      const server = await PostgresServer.create();
      try {
        await prove('Postgres', one, process.execPath, { postgres: server.url() });
      } finally {
        await server.close();
      }
    }
  });
});
