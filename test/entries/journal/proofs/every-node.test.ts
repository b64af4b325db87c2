/** The proofs in short, with the database of every Node. The other files run them in full, with an application's databases. */
import { databaseOfThisNode } from '../../../support/databases.ts';
import { testKillRuns } from './kill-runs.ts';
import { OTHER_CLOCKS, testRaces } from './races.ts';

testRaces([databaseOfThisNode()], 2_100, { clocks: [OTHER_CLOCKS], processes: 2 });
testKillRuns([databaseOfThisNode()], 3_000, 1);
