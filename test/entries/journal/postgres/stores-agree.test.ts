import type { PGlite } from '@electric-sql/pglite';
import {
  postgresJournal,
  type JournalClaim,
  type JournalEntry,
  type JournalRecord,
  type JournalStore,
} from 'email-platform/journal';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { emptyPglite } from '../../../support/empty-pglite.ts';
import { runs } from '../../../support/extent.ts';
import { MemoryStore } from '../memory-store.ts';

const HOUR_MS = 3_600_000;

let database: PGlite;
beforeAll(async () => {
  database = await emptyPglite();
});

/** A step on a store. Returns the result without times, which differ between stores. */
type Step = (store: JournalStore) => Promise<unknown>;

const seen = (entries: readonly (JournalEntry | undefined)[]) =>
  entries.map((entry) => {
    if (!entry) return 'free';
    const { ageMs: _, leaseLeftMs, ...rest } = entry;
    return { ...rest, isOver: leaseLeftMs <= 0 };
  });

/** Few of each, so that steps meet each other; the first of them most of all. */
const mostly = <T>(first: T, ...others: T[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(first) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const attempt = fc.constantFrom('one', 'two');
const key = mostly('a', 'A', 'é');
const stream = mostly<JournalClaim['stream']>('transactional', 'bulk');
const about = { namespace: mostly('n', 'm'), key, stream, attempt };
const claim: fc.Arbitrary<JournalClaim> = fc.record({
  ...about,
  hash: fc.constantFrom('1:x', '1:y'),
  leaseMs: fc.constantFrom(0, HOUR_MS),
  over: fc.constantFrom('one', 'two', undefined),
});
const record: fc.Arbitrary<JournalRecord> = fc.record({
  ...about,
  attempt: fc.constantFrom('one', 'two', ''),
  state: fc.constantFrom('accepted' as const, 'unknown' as const, 'released' as const),
  messageIds: fc.array(fc.constantFrom('id 1', 'id 2', 'id 3'), { maxLength: 3 }),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(claim, { minLength: 1, maxLength: 2 }).map(
      (claims): Step =>
        async (store) =>
          seen(await store.claim(claims)),
    ),
  },
  {
    weight: 5,
    arbitrary: fc.array(record, { minLength: 1, maxLength: 2 }).map(
      (records): Step =>
        (store) =>
          store.record(records),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('n', 'm').map((namespace): Step => async (store) => {
      const open = seen(await store.open(namespace)).map((entry) => JSON.stringify(entry));
      return open.sort();
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-HOUR_MS, HOUR_MS).map(
      (ms): Step =>
        (store) =>
          store.forget('n', Date.now() + ms),
    ),
  },
);

test('stores that go through the same say the same: Postgres, and the one that the tests of journals use', async () => {
  const postgres = postgresJournal(database);
  await postgres.setup();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await database.query('DELETE FROM email_platform_journal_v1');
      await database.query('DELETE FROM email_platform_journal_forgotten_v1');
      const memory = new MemoryStore();
      for (const run of steps) expect(await run(postgres.store)).toEqual(await run(memory));
    }),
    { numRuns: runs(200) },
  );
});
