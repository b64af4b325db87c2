/** The promise of a journal, with real processes and databases: no key is posted twice, whenever a process is killed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DatabaseHere } from '../../../support/databases.ts';
import { SEED } from '../../../support/extent.ts';
import { killRun } from './kill-run.ts';
import { Service } from './processes.ts';

const FIRST_SEED = SEED ?? Math.floor(Math.random() * 1_000_000);

/** Only to find what hangs: each run is five processes and up to 20,000 emails, on a machine that may be busy. */
const timeout = 900_000;

/** Sends emails in processes that are killed, so many times, with each of the databases in turn. */
export function testKillRuns(databases: readonly DatabaseHere[], count: number, times: number): void {
  const runs = Array.from({ length: times }, (_, index) => FIRST_SEED + index)
    .flatMap((seed) => databases.map((database) => ({ ...database, seed })))
    .slice(0, times);

  let service: Service;
  const folder = mkdtempSync(join(tmpdir(), 'email-platform-kill-runs-'));
  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(async () => {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.runIf(runs.length > 0)(`${count} emails, the process killed in the middle`, { timeout }, () => {
    test.each(runs)(
      '$name, TEST_SEED=$seed: no person gets two, every gap is reported, and none is missing in the end',
      async ({ name, node, seed }) => {
        const run = await killRun({ service, database: { name, node }, folder, seed, count });
        process.stdout.write(`${JSON.stringify(run)}\n`);
        expect(run.problems).toEqual([]);
        // Otherwise it would prove nothing.
        expect(Math.min(run.gaps, run.resent)).toBeGreaterThan(0);
      },
    );
  });
}
