import type { PGlite } from '@electric-sql/pglite';
import type { JournalClaim, JournalRecord, JournalStore } from 'email-platform/journal';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { emptyPglite } from '../../../support/empty-pglite.ts';
import { postgresSchema } from '../../../../src/entries/journal/postgres-schema.ts';
import { postgresStore } from '../../../../src/entries/journal/postgres-store.ts';
import { runs } from '../../../support/extent.ts';
import { claimOf } from '../claim-of.ts';

let database: PGlite;
beforeAll(async () => {
  database = await emptyPglite();
  await database.exec(postgresSchema());
});

const noWait = () => Promise.resolve();

/** A step of another process, whose responses arrive. The lease of the attempt in doubt runs, so no step takes it over. */
type Step = (store: JournalStore, nth: number) => Promise<unknown>;

const key = fc.constantFrom('a', 'b');
const stateOf = fc.constantFrom<JournalRecord['state'][]>('accepted', 'unknown', 'released');

/** An attempt of its own, which ends before the next step, or is in flight then. */
const attempt = fc
  .record({ key, state: fc.option(stateOf, { nil: undefined }), leaseMs: fc.constantFrom(0, 60_000) })
  .map(({ key, state, leaseMs }): Step => async (store, nth) => {
    const claim: JournalClaim = claimOf(key, `other ${nth}`, { leaseMs });
    const [entry] = await store.claim([claim]);
    if (!entry && state)
      await store.record([{ ...claim, state, messageIds: state === 'accepted' ? ['id'] : [] }]);
  });
const event = key.map(
  (key): Step =>
    (store) =>
      store.record([{ ...claimOf(key), attempt: '', state: 'accepted', messageIds: ['event'] }]),
);
const steps = fc.array(fc.oneof(attempt, event), { maxLength: 3 });

/** How each key is before: none, or left by an attempt. */
const before = fc.record({
  a: fc.constantFrom('none', 'unknown', 'over', 'released'),
  b: fc.constantFrom('none', 'unknown', 'over', 'released'),
});

interface Row {
  readonly state: string;
  readonly attempt: string;
}

async function rowsNow(): Promise<Map<string, Row>> {
  const { rows } = await database.query<Row & { readonly key: string }>(
    'SELECT key, state, attempt FROM email_platform_journal_v1',
  );
  return new Map(rows.map(({ key, ...row }) => [key, row]));
}

/** Makes keys as they are before, and a store whose next changes are committed, and their answers lost, while others go on. */
async function setUp(keys: Readonly<Record<string, string>>, others: readonly Step[], losses: number) {
  await database.query('DELETE FROM email_platform_journal_v1');
  const store = postgresStore(database, noWait);
  for (const [name, state] of Object.entries(keys)) {
    if (state === 'none') continue;
    const claim = claimOf(name, 'first', { leaseMs: state === 'over' ? 0 : 60_000 });
    await store.claim([claim]);
    if (state === 'unknown' || state === 'released')
      await store.record([{ ...claim, state, messageIds: [] }]);
  }
  let left = losses;
  let nth = 0;
  /** The rows of the other processes. */
  let ofOthers = new Map<string, Row>();
  const losing = {
    query: async (text: string, values: string[] = []) => {
      const result = await database.query(text, values);
      if (!/INSERT|UPDATE/.test(text) || (left -= 1) < 0) return result;
      for (const step of others) await step(store, (nth += 1));
      ofOthers = new Map([...(await rowsNow())].filter(([, row]) => row.attempt.startsWith('other')));
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    },
  };
  /** A key that is released is free for the statement that is run again; any other stays as others left it. */
  const expectUntouched = (rows: ReadonlyMap<string, Row>) => {
    const left = [...ofOthers].filter(([, { state }]) => state !== 'released');
    expect(left.map(([name]) => rows.get(name))).toEqual(left.map(([, row]) => row));
  };
  return { store, losing: postgresStore(losing, noWait), expectUntouched };
}

test('if the response to a claim is lost while others act, it has the keys that are still its own', async () => {
  await fc.assert(
    fc.asyncProperty(before, steps, fc.integer({ min: 1, max: 3 }), async (keys, others, losses) => {
      const { losing, expectUntouched } = await setUp(keys, others, losses);
      const names = Object.keys(keys);
      const entries = await losing.claim(names.map((name) => claimOf(name, 'mine', { over: 'first' })));
      const rows = await rowsNow();
      expect(entries.map((entry) => entry === undefined)).toEqual(
        names.map((name) => rows.get(name)?.attempt === 'mine' && rows.get(name)?.state === 'claimed'),
      );
      expectUntouched(rows);
    }),
    { numRuns: runs(200) },
  );
});

test('if the response to a record is lost while others act, it changes only its own attempt', async () => {
  await fc.assert(
    fc.asyncProperty(steps, stateOf, fc.integer({ min: 1, max: 3 }), async (others, state, losses) => {
      const { store, losing, expectUntouched } = await setUp({}, others, losses);
      const claim = claimOf('a', 'mine');
      await store.claim([claim]);
      await losing.record([{ ...claim, state, messageIds: [] }]);
      const rows = await rowsNow();
      if (rows.get('a')?.attempt === 'mine') expect([state, 'accepted']).toContain(rows.get('a')?.state);
      expectUntouched(rows);
    }),
    { numRuns: runs(1_000) },
  );
});

test('if the response to `free` is lost while others act, it frees only the attempt that was open', async () => {
  await fc.assert(
    fc.asyncProperty(before, steps, fc.integer({ min: 1, max: 3 }), async (keys, others, losses) => {
      const { losing, expectUntouched } = await setUp(keys, others, losses);
      const freed = await losing.free('default', Object.keys(keys), false);
      const rows = await rowsNow();
      for (const name of freed)
        expect([keys[name as keyof typeof keys], rows.get(name)]).toEqual([
          expect.stringMatching(/unknown|over/),
          { attempt: 'first', state: 'released' },
        ]);
      expectUntouched(rows);
    }),
    { numRuns: runs(200) },
  );
});
