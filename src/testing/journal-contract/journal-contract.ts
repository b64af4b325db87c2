/** The contract of a journal store, as tests for your own store. It imports types of the journal, and no emulator. */
import type { JournalEntry, JournalStore } from '../../core/journal.ts';
import {
  APART_MS,
  claimOf,
  expectEqual,
  expectWholeLease,
  HASH,
  LONG_MS,
  recordOf,
  sleep,
  statesOf,
  type Check,
} from './journal-checks.ts';
import { checkTakeOvers } from './journal-take-overs.ts';

/** The function `test` of Vitest, Jest, `node:test` or another test runner. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/** The states in which a key can be claimed, by name, with the steps that lead there. */
const FREE: Readonly<Record<string, (store: JournalStore) => Promise<unknown>>> = {
  'a new key': () => Promise.resolve(),
  'a released key': async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'one', 'released')]);
  },
  'an unknown key': async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'one', 'unknown')]);
  },
  'a key whose lease is over': (store) => store.claim([claimOf('a', 'one', { leaseMs: 0 })]),
};

/**
 * Measures how far the store's clock is ahead of this process's clock, in milliseconds, by a binary search. Never returns
 * too much. `forget` tells whether the claim of a probe was before a time.
 */
async function offsetOf(store: JournalStore): Promise<number> {
  let [low, high] = [-10 * LONG_MS, 10 * LONG_MS];
  while (high - low > 1) {
    const middle = (low + high) / 2;
    await store.claim([claimOf('a probe', String(middle), { leaseMs: 0 })]);
    const isForgotten = (await store.forget('contract', Date.now() + middle)) > 0;
    [low, high] = isForgotten ? [low, middle] : [middle, high];
    if (!isForgotten) await store.forget('contract', Date.now() + 20 * LONG_MS);
  }
  return low;
}

const byKey = (entries: readonly JournalEntry[]) => entries.map(({ key }) => key).sort();

/**
 * Tests a store of keys: one test for each property that a journal needs. `createStore` makes an empty store for each test.
 * A journal also needs that committed changes survive a crash, which such tests cannot show.
 *
 * @example
 * ```ts
 * import { test } from 'node:test';
 * journalContract(test, () => myStore(new Database(':memory:')));
 * ```
 */
export function journalContract(
  test: TestFunction,
  createStore: () => JournalStore | Promise<JournalStore>,
): void {
  const check: Check = (name, run) =>
    void test(`journal store: ${name}`, async () => run(await createStore()));

  check('a new key can be claimed, and not again while its lease runs', async (store) => {
    expectEqual(statesOf(await store.claim([claimOf('a', 'one')])), ['free'], 'the first claim');
    const [entry] = await store.claim([claimOf('a', 'two', { hash: '1:other' })]);
    expectEqual(entry?.state, 'claimed', 'the state');
    expectEqual([entry?.key, entry?.attempt, entry?.hash], ['a', 'one', HASH], 'the row');
    expectEqual(entry?.messageIds, [], 'the ids');
    expectWholeLease(entry, 'of a new key');
    expectEqual((entry?.ageMs ?? -1) >= 0, true, 'an age of 0 or more');
  });

  check('the attempt that has a key cannot claim it again', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    expectEqual(statesOf(await store.claim([claimOf('a', 'one')])), ['claimed'], 'the same attempt');
    expectEqual(
      statesOf(await store.claim([claimOf('a', 'one', { over: 'one' })])),
      ['claimed'],
      'even with itself as `over`',
    );
  });

  for (const [name, makeFree] of Object.entries(FREE)) {
    check(`one of many claims of ${name} succeeds`, async (store) => {
      await makeFree(store);
      const claims = Array.from({ length: 20 }, (_, index) =>
        store.claim([claimOf('a', `attempt ${index}`, { over: 'one' })]),
      );
      const states = (await Promise.all(claims)).flatMap(statesOf);
      expectEqual(states.filter((state) => state === 'free').length, 1, 'claims that succeeded');
    });
  }

  check('an accepted key stays accepted, with its ids', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'one', 'accepted', ['id 1', 'id 2'])]);
    await store.record([recordOf('a', 'one', 'released'), recordOf('a', 'one', 'unknown')]);
    await store.record([recordOf('a', 'two', 'accepted', ['id 3'])]);
    const [entry] = await store.claim([claimOf('a', 'two', { over: 'one', leaseMs: 0 })]);
    expectEqual([entry?.state, entry?.messageIds], ['accepted', ['id 1', 'id 2']], 'the key');
  });

  check('a released key can be claimed, for other content too', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'one', 'released')]);
    expectEqual(
      statesOf(await store.claim([claimOf('a', 'two', { hash: '1:other', stream: 'bulk' })])),
      ['free'],
      'the claim after a release',
    );
    const [entry] = await store.claim([claimOf('a', 'three')]);
    expectEqual([entry?.attempt, entry?.hash, entry?.stream], ['two', '1:other', 'bulk'], 'the row');
  });

  check('a released key has the lease of its new claim', async (store) => {
    await store.claim([claimOf('a', 'one', { leaseMs: 0 })]);
    await store.record([recordOf('a', 'one', 'released')]);
    await store.claim([claimOf('a', 'two')]);
    const [entry] = await store.claim([claimOf('a', 'three')]);
    expectWholeLease(entry, 'after a release');
  });

  for (const state of ['unknown', 'released'] as const) {
    check(`of two records at once, accepted stays beside ${state}, in any order`, async (store) => {
      const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
      await store.claim(keys.map((key) => claimOf(key, 'one')));
      const own = (key: string) => store.record([recordOf(key, 'one', state)]);
      const event = (key: string) => store.record([recordOf(key, 'one', 'accepted', ['id'])]);
      await Promise.all(
        keys.flatMap((key, index) => (index % 2 === 0 ? [event(key), own(key)] : [own(key), event(key)])),
      );
      const entries = await store.claim(keys.map((key) => claimOf(key, 'two')));
      expectEqual([...new Set(statesOf(entries))], ['accepted'], 'the states');
    });
  }

  check('a key that is twice in a call is claimed once', async (store) => {
    const claims = [claimOf('a', 'one'), claimOf('b', 'one'), claimOf('a', 'two')];
    const entries = await store.claim(claims);
    expectEqual(statesOf(entries), ['free', 'free', 'claimed'], 'the claims');
    expectEqual(entries[2]?.attempt, 'one', 'its attempt');
  });

  check('only the attempt that has claimed a key releases it, or makes it unknown', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'two', 'released'), recordOf('a', 'two', 'unknown')]);
    const [entry] = await store.claim([claimOf('a', 'three')]);
    expectEqual([entry?.state, entry?.attempt], ['claimed', 'one'], 'the key');
  });

  check('a claimed or unknown key can be accepted, a released or absent key cannot', async (store) => {
    const keys = ['claimed', 'over', 'unknown', 'released'];
    await store.claim(keys.map((key) => claimOf(key, 'one', key === 'over' ? { leaseMs: 0 } : {})));
    await store.record([recordOf('unknown', 'one', 'unknown'), recordOf('released', 'one', 'released')]);
    await store.record([...keys, 'absent'].map((key) => recordOf(key, '', 'accepted', ['id'])));
    const entries = await store.claim([...keys, 'absent'].map((key) => claimOf(key, 'two')));
    expectEqual(statesOf(entries), ['accepted', 'accepted', 'accepted', 'free', 'free'], keys.join(', '));
  });

  check('a record of another stream changes nothing', async (store) => {
    const keys = ['accepted', 'unknown', 'released'] as const;
    await store.claim(keys.map((key) => claimOf(key, 'one')));
    await store.record(keys.map((key) => recordOf(key, 'one', key, ['id'], 'bulk')));
    const entries = await store.claim(keys.map((key) => claimOf(key, 'two')));
    expectEqual(statesOf(entries), ['claimed', 'claimed', 'claimed'], 'the keys');
  });

  check('any attempt can record that a key is accepted', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'two', 'accepted', ['id'])]);
    const [entry] = await store.claim([claimOf('a', 'three')]);
    expectEqual([entry?.state, entry?.messageIds], ['accepted', ['id']], 'the key');
  });

  check(
    'the attempt of an accepted key adds ids to the record of another process, and removes none',
    async (store) => {
      await store.claim([claimOf('a', 'one')]);
      await store.record([recordOf('a', '', 'accepted', ['id 1'])]);
      await store.record([recordOf('a', 'one', 'accepted', ['id 1', 'id 2'])]);
      await store.record([recordOf('a', 'one', 'accepted', ['id 1'])]);
      await store.record([recordOf('a', '', 'accepted', ['id 1', 'id 2', 'id 3'])]);
      const [entry] = await store.claim([claimOf('a', 'two')]);
      expectEqual([entry?.state, entry?.messageIds], ['accepted', ['id 1', 'id 2']], 'the key');
    },
  );

  check('an unknown key stays unknown when its attempt releases it', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'one', 'unknown')]);
    await store.record([recordOf('a', 'one', 'released')]);
    expectEqual(statesOf(await store.claim([claimOf('a', 'two')])), ['unknown'], 'the key');
  });

  check('keys are claimed and recorded each by itself, in order', async (store) => {
    await store.claim([claimOf('b', 'one'), claimOf('d', 'one')]);
    await store.record([recordOf('d', 'one', 'accepted', ['id'])]);
    const claims = ['a', 'b', 'c', 'd'].map((key) => claimOf(key, 'two'));
    expectEqual(statesOf(await store.claim(claims)), ['free', 'claimed', 'free', 'accepted'], 'the claims');
    await store.record([recordOf('a', 'two', 'released'), recordOf('c', 'two', 'unknown')]);
    const others = ['a', 'b', 'c'].map((key) => claimOf(key, 'three'));
    expectEqual(statesOf(await store.claim(others)), ['free', 'claimed', 'unknown'], 'the claims after that');
    expectEqual(await store.claim([]), [], 'no claims');
    await store.record([]);
  });

  check('500 keys are claimed at once, are open, and are recorded', async (store) => {
    const keys = Array.from({ length: 500 }, (_, index) => `key ${1_000 + index}`);
    const claims = keys.map((key) => claimOf(key, 'one', { leaseMs: 0 }));
    expectEqual([...new Set(statesOf(await store.claim(claims)))], ['free'], 'states of new keys');
    expectEqual(byKey(await store.open('contract')), keys, 'the open keys');
    await store.record(keys.map((key) => recordOf(key, 'one', 'accepted', [key])));
    const entries = await store.claim(claims);
    expectEqual([...new Set(statesOf(entries))], ['accepted'], 'their states');
    expectEqual(
      entries.map((entry) => entry?.messageIds),
      keys.map((key) => [key]),
      'their ids',
    );
    expectEqual(await store.open('contract'), [], 'the open keys at the end');
  });

  check('a key is any text of up to 255 bytes, and compared exactly', async (store) => {
    const keys = [
      "it's",
      '"quoted"',
      '%',
      'a',
      'A',
      'é',
      'e\u0301',
      ' a',
      'a ',
      '\u{1f600}'.repeat(60),
      'x'.repeat(255),
    ];
    const claims = keys.map((key) => claimOf(key, 'one'));
    expectEqual(
      statesOf(await store.claim(claims)),
      keys.map(() => 'free'),
      'different keys',
    );
    const again = await store.claim(claims);
    expectEqual(
      again.map((entry) => entry?.key),
      keys,
      'the keys as they are kept',
    );
  });

  check('long values are kept whole', async (store) => {
    const namespace = 'n'.repeat(255);
    const attempt = '01234567-89ab-cdef-0123-456789abcdef';
    const messageIds = Array.from({ length: 1_000 }, (_, index) => `${attempt.slice(0, -4)}${1_000 + index}`);
    await store.claim([claimOf('a', attempt, { namespace })]);
    await store.record([{ ...recordOf('a', attempt, 'accepted', messageIds), namespace }]);
    const [entry] = await store.claim([claimOf('a', 'two', { namespace })]);
    expectEqual([entry?.attempt, entry?.hash], [attempt, HASH], 'the row');
    expectEqual(entry?.messageIds, messageIds, 'the ids');
  });

  check('namespaces are independent of each other', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    const other = { namespace: 'other' };
    expectEqual(statesOf(await store.claim([claimOf('a', 'two', other)])), ['free'], 'the other claim');
    await store.record([{ ...recordOf('a', 'two', 'unknown'), ...other }]);
    expectEqual(byKey(await store.open('contract')), [], 'the open keys');
    expectEqual(byKey(await store.open('other')), ['a'], 'the open keys of the other');
    expectEqual(
      statesOf(await store.claim([claimOf('a', 'three', { namespace: 'OTHER' })])),
      ['free'],
      'a claim in a namespace that differs in case',
    );
  });

  check('open keys are the unknown keys, and the keys whose lease is over', async (store) => {
    const short = { leaseMs: 0 };
    const keys = ['accepted', 'released', 'unknown'] as const;
    await store.claim([claimOf('in flight', 'one'), claimOf('over', 'one', short)]);
    await store.claim(keys.map((key) => claimOf(key, 'one', short)));
    await store.record(keys.map((key) => recordOf(key, 'one', key)));
    const open = await store.open('contract');
    expectEqual(byKey(open), ['over', 'unknown'], 'the open keys');
    await store.claim([claimOf('lease runs', 'one')]);
    await store.record([recordOf('lease runs', 'one', 'unknown')]);
    const running = (await store.open('contract')).find(({ key }) => key === 'lease runs');
    expectWholeLease(running, 'of an open key');
    expectEqual(
      open.map(({ attempt, hash }) => [attempt, hash]),
      [
        ['one', HASH],
        ['one', HASH],
      ],
      'the rows',
    );
  });

  check('open keys are of all streams', async (store) => {
    const streams = ['bulk', 'sandbox', 'transactional'] as const;
    await store.claim(streams.map((stream) => claimOf(stream, 'one', { stream, leaseMs: 0 })));
    const open = await store.open('contract');
    expectEqual(byKey(open), streams, 'the open keys');
    expectEqual(open.map(({ stream }) => stream).sort(), streams, 'their streams');
  });

  checkTakeOvers(check);

  check('forgets by the last change, not by the claim', async (store) => {
    const offsetMs = await offsetOf(store);
    await store.claim([claimOf('a', 'one', { leaseMs: 0 })]);
    await sleep(APART_MS);
    const before = Date.now() + offsetMs;
    await sleep(APART_MS);
    await store.record([recordOf('a', 'one', 'unknown')]);
    expectEqual(await store.forget('contract', before), 0, 'keys that have not changed since');
    expectEqual(await store.forget('contract', Date.now() + 10 * LONG_MS), 1, 'keys at all');
  });

  check('forgets keys that have not changed since, but not keys in flight', async (store) => {
    const short = { leaseMs: 0 };
    await store.claim([claimOf('in flight', 'one'), claimOf('over', 'one', short)]);
    await store.claim([claimOf('accepted', 'one'), claimOf('released', 'one'), claimOf('unknown', 'one')]);
    for (const key of ['accepted', 'released', 'unknown'] as const)
      await store.record([recordOf(key, 'one', key)]);
    const far = Date.now() + 10 * LONG_MS;
    expectEqual(
      await store.forget('contract', Date.now() - 10 * LONG_MS),
      0,
      'keys before a moment long ago',
    );
    expectEqual(await store.forget('other', far), 0, 'keys of another namespace');
    expectEqual(await store.forget('contract', far), 4, 'keys before a moment to come');
    expectEqual(statesOf(await store.claim([claimOf('in flight', 'two')])), ['claimed'], 'the one in flight');
    expectEqual(statesOf(await store.claim([claimOf('accepted', 'two')])), ['free'], 'a forgotten one');
  });

  check('an event of a forgotten email does not settle a new use of its key', async (store) => {
    const keys = ['claimed', 'unknown'] as const;
    const event = (...ids: string[]) => keys.map((key) => recordOf(key, '', 'accepted', ids));
    const statesNow = async () => statesOf(await store.claim(keys.map((key) => claimOf(key, 'three'))));
    await store.claim(keys.map((key) => claimOf(key, 'one')));
    await store.record(event('id 1', 'id 2'));
    expectEqual(await store.forget('contract', Date.now() + 10 * LONG_MS), 2, 'forgotten keys');
    await store.claim(keys.map((key) => claimOf(key, 'two')));
    await store.record([recordOf('unknown', 'two', 'unknown')]);
    await store.record(event('id 2'));
    expectEqual(await statesNow(), keys, 'the keys after an event of the former email');
    await store.claim([claimOf('claimed', 'one', { namespace: 'other' })]);
    await store.record([{ ...recordOf('claimed', '', 'accepted', ['id 1']), namespace: 'other' }]);
    const [other] = await store.claim([claimOf('claimed', 'two', { namespace: 'other' })]);
    expectEqual(other?.state, 'accepted', 'the id in another namespace');
    await store.record([...event('id 1'), ...event('id 3')]);
    expectEqual(await statesNow(), ['accepted', 'accepted'], 'the keys after an event of their own email');
  });
}
