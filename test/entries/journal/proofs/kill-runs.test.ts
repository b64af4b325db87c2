/** `KILL_RUNS=50 TEST_SEED=1` is the proof in full: the seeds from 1 on, for each database. */
import { databasesHere } from '../../../support/databases.ts';
import { testKillRuns } from './kill-runs.ts';

testKillRuns(databasesHere(), 20_000, Number(process.env.KILL_RUNS ?? 2));
