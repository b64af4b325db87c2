import { setTimeout } from 'node:timers/promises';
import { postgresJournal } from '../../src/entries/journal/index.ts';
import { missingPostgres, PostgresServer, type Pool } from '../support/postgres-server.ts';
import type { Bench } from './bench.ts';
import { claimOf, claimTimes, claimTimesTable } from './claim-times.ts';

const CALLS = 40;
const DAY_MS = 86_400_000;

/** Fills the table. A tenth of the keys has not changed for a hundred days; the others are of yesterday. */
async function fill(pool: Pool, keys: number): Promise<void> {
  const table = 'email_platform_journal_v1';
  // The primary key is built once, and not a key at a time.
  await pool.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`);
  await pool.query(`INSERT INTO ${table} SELECT 'default', 'news-' || n % 100 || '/reader-' || n / 100,
      '1:' || repeat('0', 64), 'bulk', 'accepted', gen_random_uuid()::text, NULL, gen_random_uuid(), false, at, at, at,
      '["' || gen_random_uuid() || '"]'
    FROM generate_series(1, ${keys}) AS n,
      LATERAL (SELECT now() - interval '1 day' * CASE WHEN n % 10 = 0 THEN 100 ELSE 1 END AS at) AS moment`);
  await pool.query(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_pkey PRIMARY KEY (namespace, key)`);
  await pool.query(`VACUUM ANALYZE ${table}`);
  await pool.query('CHECKPOINT');
}

/** Whether a commit waits until it is on the disk. */
async function waitForDisk(pool: Pool, isOn: boolean): Promise<void> {
  await pool.query(`ALTER SYSTEM SET synchronous_commit = ${isOn ? 'on' : 'off'}`);
  await pool.query('SELECT pg_reload_conf()');
  await setTimeout(1_000);
}

/** A claim does not take longer because there are many keys, and does not wait for keys that are forgotten. */
const bench: Bench = {
  title: 'Ten million keys in Postgres: what a claim costs, also while a million are forgotten',
  // Takes minutes, and some GB in the folder for temporary files.
  isOnRequest: true,
  async run({ isSmoke }) {
    const missing = missingPostgres();
    if (missing !== undefined) return { lines: [`SKIPPED. ${missing}`], broken: [] };
    const keys = isSmoke ? 100_000 : 10_000_000;
    const server = await PostgresServer.create();
    try {
      const pool = server.pool();
      const journal = postgresJournal(pool);
      await journal.setup();
      // How long the disk takes for a commit varies more, an empty table's too, than all that a claim does.
      await waitForDisk(pool, false);
      const empty = await claimTimes(journal.store, 'news-0-before', CALLS);
      await pool.query('TRUNCATE email_platform_journal_v1');
      await fill(pool, keys);
      const full = await claimTimes(journal.store, 'news-50-after', CALLS);
      await waitForDisk(pool, true);

      const begun = performance.now();
      let longest = 0;
      let claims = 0;
      const over = new AbortController();
      const claiming = (async () => {
        while (!over.signal.aborted) {
          const some = Array.from({ length: 500 }, (_, index) => claimOf(`news-7/during-${claims}/${index}`));
          const before = performance.now();
          await journal.store.claim(some);
          longest = Math.max(longest, performance.now() - before);
          claims += 1;
        }
      })();
      const forgotten = await journal.forget({ before: new Date(Date.now() - 90 * DAY_MS) });
      const forgetMs = performance.now() - begun;
      over.abort();
      await claiming;

      const growth = (name: keyof typeof empty) => full[name] / empty[name];
      return {
        lines: [
          ...claimTimesTable([
            ['empty table, commits not waited for', empty],
            [`${keys} keys, the same`, full],
          ]),
          `${forgotten} keys were forgotten in ${Math.round(forgetMs)} ms; meanwhile ${claims} claims of 500, the longest ${Math.round(longest)} ms`,
        ],
        broken: [
          ...(['claim500', 'claim1'] as const)
            .filter((name) => !isSmoke && growth(name) > 1.5)
            .map((name) => `${name} takes ${growth(name).toFixed(2)} times as long with ${keys} keys`),
          ...(longest > 1_000 ? [`A claim took ${Math.round(longest)} ms while keys were forgotten`] : []),
          ...(forgotten === keys / 10 ? [] : [`${forgotten} keys were forgotten`]),
        ],
      };
    } finally {
      await server.close();
    }
  },
};

export default bench;
