/** The proofs in short, with the database of every Node. `test/journal/proofs` runs them in full, with each database. */
import { databaseOfThisNode } from '../support/databases.ts';
import { testKillRuns } from './proofs/kill-runs.ts';
import { OTHER_CLOCKS, testRaces } from './proofs/races.ts';

testRaces([databaseOfThisNode()], 2_100, { clocks: [OTHER_CLOCKS], processes: 2 });
testKillRuns([databaseOfThisNode()], 3_000, 1);
