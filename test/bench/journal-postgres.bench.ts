import { postgresJournal } from '../../src/entries/journal/index.ts';
import { missingPostgres, PostgresServer } from '../support/postgres-server.ts';
import type { Bench } from './bench.ts';
import { claimTimes, claimTimesTable } from './claim-times.ts';

const CALLS = 40;

/** What keys cost in a Postgres of this machine, with its own settings: what is claimed is on the disk. */
const bench: Bench = {
  title: 'Keys in Postgres: a call of 500 emails, and of one',
  async run({ isSmoke }) {
    const missing = missingPostgres();
    if (missing !== undefined) return { lines: [`SKIPPED. ${missing}`], broken: [] };
    const server = await PostgresServer.create();
    try {
      const { store } = postgresJournal(server.pool());
      const times = await claimTimes(store, 'news-1', isSmoke ? 3 : CALLS);
      return { lines: claimTimesTable([['empty table', times]]), broken: [] };
    } finally {
      await server.close();
    }
  },
};

export default bench;
