/**
 * The promise of a journal, with real processes and databases: no key is posted twice, whenever a process is killed.
 * `KILL_RUNS=50 TEST_SEED=1` is the proof in full: the seeds from 1 on, for each database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEED } from '../../support/extent.ts';
import { killRun } from './kill-run.ts';
import { Service } from './processes.ts';
import { databasesHere } from '../../support/databases.ts';

const COUNT = 20_000;
const RUNS = Number(process.env.KILL_RUNS ?? 2);
const FIRST_SEED = SEED ?? Math.floor(Math.random() * 1_000_000);

const databases = databasesHere();
/** Each seed for each database in turn. */
const runs = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index)
  .flatMap((seed) => databases.map((database) => ({ ...database, seed })))
  .slice(0, RUNS);

let service: Service;
const folder = mkdtempSync(join(tmpdir(), 'email-platform-kill-runs-'));
beforeAll(async () => {
  service = await Service.start();
});
afterAll(async () => {
  await service.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Only to find what hangs: each run is five processes and 20 000 emails, on a machine that may be busy. */
const timeout = 900_000;

describe.runIf(runs.length > 0)(`${COUNT} emails, the process killed in the middle`, { timeout }, () => {
  test.each(runs)(
    '$name, TEST_SEED=$seed: nobody gets two, every gap is reported, and none is missing in the end',
    async ({ name, node, seed }) => {
      const run = await killRun({ service, name, node, folder, seed, count: COUNT });
      process.stdout.write(`${JSON.stringify(run)}\n`);
      expect(run.problems).toEqual([]);
      // Otherwise it would prove nothing.
      expect(Math.min(run.gaps, run.resent)).toBeGreaterThan(0);
    },
  );
});
