/** The tests of take-overs: of a key whose outcome is unknown, and of one whose lease is over. */
import type { JournalEntry, JournalStore } from '../../core/journal.ts';
import {
  APART_MS,
  claimOf,
  expectEqual,
  expectWholeLease,
  NEARLY_MS,
  recordOf,
  sleep,
  statesOf,
  type Check,
} from './journal-checks.ts';

/** How attempt `one` leaves keys that another attempt may take over. Both must have the same rules. */
const WAYS: Readonly<Record<string, (store: JournalStore, keys: readonly string[]) => Promise<unknown>>> = {
  'an unknown key': async (store, keys) => {
    await store.claim(keys.map((key) => claimOf(key, 'one', { leaseMs: 0 })));
    await store.record(keys.map((key) => recordOf(key, 'one', 'unknown')));
  },
  'an unknown key whose lease runs': async (store, keys) => {
    await store.claim(keys.map((key) => claimOf(key, 'one')));
    await store.record(keys.map((key) => recordOf(key, 'one', 'unknown')));
  },
  'a key whose lease is over': (store, keys) =>
    store.claim(keys.map((key) => claimOf(key, 'one', { leaseMs: 0 }))),
};

const ageOf = (entry: JournalEntry | undefined) => entry?.ageMs ?? NaN;

/** Adds the tests. */
export function checkTakeOvers(check: Check): void {
  check('no attempt takes over a key whose lease runs', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    const entries = await store.claim([claimOf('a', 'two', { over: 'one' })]);
    expectEqual(statesOf(entries), ['claimed'], 'the key');
  });

  for (const [name, leave] of Object.entries(WAYS)) {
    const take = async (store: JournalStore, attempt = 'two', over = 'one') =>
      statesOf(await store.claim([claimOf('a', attempt, { over })]))[0];

    check(`${name} is taken over only from the attempt that was named`, async (store) => {
      await leave(store, ['a']);
      expectEqual(
        statesOf(await store.claim([claimOf('a', 'two')])).includes('free'),
        false,
        'without a name',
      );
      expectEqual((await take(store, 'two', 'zero')) === 'free', false, 'from another attempt');
      expectEqual(await take(store), 'free', 'from the attempt');
      expectEqual(await take(store, 'three'), 'claimed', 'from the attempt, twice');
    });

    check(`${name} has the content and the lease of the attempt that took it over`, async (store) => {
      await leave(store, ['a']);
      await store.claim([claimOf('a', 'two', { over: 'one', hash: '1:other', stream: 'bulk' })]);
      const [entry] = await store.claim([claimOf('a', 'three', { over: 'two' })]);
      expectEqual(
        [entry?.state, entry?.attempt, entry?.hash, entry?.stream],
        ['claimed', 'two', '1:other', 'bulk'],
        'the row',
      );
      expectWholeLease(entry, 'after a take-over');
    });

    check(`${name} that was taken over is not free when it is released`, async (store) => {
      await leave(store, ['a']);
      await take(store);
      await store.record([recordOf('a', 'two', 'released')]);
      const [entry] = await store.claim([claimOf('a', 'three')]);
      expectEqual([entry?.state, entry?.attempt], ['unknown', 'two'], 'after the release');
      expectEqual((entry?.leaseLeftMs ?? 1) <= 0, true, 'that its lease is over');
      expectEqual(await take(store, 'three', 'two'), 'free', 'taken over again');
      await store.record([recordOf('a', 'three', 'released')]);
      expectEqual(statesOf(await store.claim([claimOf('a', 'four')])), ['unknown'], 'after another release');
    });

    check(`${name} that was taken over does not change by a record of the earlier attempt`, async (store) => {
      await leave(store, ['a']);
      await take(store);
      await store.record([recordOf('a', 'one', 'released'), recordOf('a', 'one', 'unknown')]);
      expectEqual(await take(store, 'three'), 'claimed', 'the key');
      await store.record([recordOf('a', 'one', 'accepted', ['id'])]);
      expectEqual(
        await take(store, 'three', 'two'),
        'accepted',
        'the key, once the first email was accepted',
      );
    });

    check(`${name} has the age of its first claim after a take-over`, async (store) => {
      await leave(store, ['a', 'twice']);
      await sleep(APART_MS);
      await store.claim([
        claimOf('a', 'two', { over: 'one' }),
        claimOf('twice', 'two', { over: 'one', leaseMs: 0 }),
        claimOf('new', 'two'),
      ]);
      await store.claim([claimOf('twice', 'three', { over: 'two' })]);
      // The new key is read first: a wait between two reads only makes the others older.
      const [first, once, twice] = await store.claim(
        ['new', 'a', 'twice'].map((key) => claimOf(key, 'four')),
      );
      for (const entry of [once, twice])
        expectEqual(
          ageOf(entry) - ageOf(first) >= NEARLY_MS,
          true,
          `the age after a take-over, ${ageOf(entry)} ms,`,
        );
    });
  }

  check('a released key has the age of its new claim', async (store) => {
    await store.claim([claimOf('released', 'one'), claimOf('old', 'one')]);
    await sleep(APART_MS);
    await store.record([recordOf('released', 'one', 'released')]);
    await store.claim([claimOf('released', 'two')]);
    const [again, old] = await store.claim(['released', 'old'].map((key) => claimOf(key, 'three')));
    expectEqual(ageOf(old) - ageOf(again) >= NEARLY_MS, true, `the age after a release, ${ageOf(again)} ms,`);
  });
}
