/** What a store of keys must do, as tests for a store of your own. */
import type { JournalClaim, JournalEntry, JournalRecord, JournalStore } from '../core/journal.ts';

/** The function `test` of a test runner: of Vitest, Jest or `node:test`. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/** Long enough for it not to be over while a test runs. */
const LONG_MS = 3_600_000;

const claimOf = (key: string, attempt: string, more: Partial<JournalClaim> = {}): JournalClaim => ({
  namespace: 'contract',
  key,
  hash: '1:hash',
  stream: 'transactional',
  attempt,
  leaseMs: LONG_MS,
  ...more,
});

const recordOf = (
  key: string,
  attempt: string,
  state: JournalRecord['state'],
  messageIds: readonly string[] = [],
): JournalRecord => ({ namespace: 'contract', key, attempt, state, messageIds });

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what}: expected ${should}, but it is ${is}`);
}

/** States of keys after a claim: `free` is one that could be claimed. */
const statesOf = (entries: readonly (JournalEntry | undefined)[]) =>
  entries.map((entry) => entry?.state ?? 'free');

const byKey = (entries: readonly JournalEntry[]) => entries.map(({ key }) => key).sort();

/**
 * Tests a store of keys: one test for each thing that a journal relies on. `createStore` makes an empty one for each test.
 * The promise of a journal rests on all of them, and on what no test of this kind shows: that what is committed survives a
 * crash.
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
  const check = (name: string, run: (store: JournalStore) => Promise<void>) =>
    test(`journal store: ${name}`, async () => run(await createStore()));

  check('a new key can be claimed, and then by nobody while its lease runs', async (store) => {
    expectEqual(statesOf(await store.claim([claimOf('a', 'one')])), ['free'], 'the first claim');
    const [entry] = await store.claim([claimOf('a', 'two', { hash: '1:other' })]);
    expectEqual(entry?.state, 'claimed', 'the state');
    expectEqual([entry?.key, entry?.attempt, entry?.hash], ['a', 'one', '1:hash'], 'the row');
    expectEqual(entry?.messageIds, [], 'the ids');
    const left = entry?.leaseLeftMs ?? 0;
    expectEqual(left > 0 && left <= LONG_MS, true, `the lease, ${left} ms,`);
    expectEqual((entry?.ageMs ?? -1) >= 0, true, 'an age of 0 or more');
  });

  check('the attempt that has a key cannot claim it again', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    expectEqual(statesOf(await store.claim([claimOf('a', 'one')])), ['claimed'], 'the same attempt');
    expectEqual(
      statesOf(await store.claim([claimOf('a', 'one', { over: 'one' })])),
      ['claimed'],
      'even if it says so',
    );
  });

  check('of many claims of one key, one succeeds', async (store) => {
    const attempts = Array.from({ length: 20 }, (_, index) => `attempt ${index}`);
    const all = await Promise.all(attempts.map((attempt) => store.claim([claimOf('a', attempt)])));
    expectEqual(all.flatMap(statesOf).filter((state) => state === 'free').length, 1, 'claims that succeeded');
  });

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

  check('only the attempt that has claimed a key releases it, or makes it unknown', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'two', 'released'), recordOf('a', 'two', 'unknown')]);
    const [entry] = await store.claim([claimOf('a', 'three')]);
    expectEqual([entry?.state, entry?.attempt], ['claimed', 'one'], 'the key');
  });

  check('anybody may say that a key is accepted', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'two', 'accepted', ['id'])]);
    const [entry] = await store.claim([claimOf('a', 'three')]);
    expectEqual([entry?.state, entry?.messageIds], ['accepted', ['id']], 'the key');
  });

  check(
    'what others said of an accepted key, its attempt completes with more ids, and not with fewer',
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

  check('a key whose lease is over is taken over only from the attempt that was named', async (store) => {
    await store.claim([claimOf('a', 'one', { leaseMs: 0 })]);
    const [entry] = await store.claim([claimOf('a', 'two')]);
    expectEqual([entry?.state, (entry?.leaseLeftMs ?? 1) <= 0], ['claimed', true], 'without a name');
    expectEqual(statesOf(await store.claim([claimOf('a', 'two', { over: 'zero' })])), ['claimed'], 'another');
    expectEqual(statesOf(await store.claim([claimOf('a', 'two', { over: 'one' })])), ['free'], 'that one');
    expectEqual(statesOf(await store.claim([claimOf('a', 'three', { over: 'one' })])), ['claimed'], 'twice');
  });

  check('an unknown key is taken over while its lease runs', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'one', 'unknown')]);
    expectEqual(statesOf(await store.claim([claimOf('a', 'two')])), ['unknown'], 'without a name');
    expectEqual(statesOf(await store.claim([claimOf('a', 'two', { over: 'one' })])), ['free'], 'with it');
  });

  check('a key that was taken over is not free when it is released', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'one', 'unknown')]);
    await store.claim([claimOf('a', 'two', { over: 'one' })]);
    await store.record([recordOf('a', 'two', 'released')]);
    const [entry] = await store.claim([claimOf('a', 'three')]);
    expectEqual([entry?.state, entry?.attempt], ['unknown', 'two'], 'after the release');
    expectEqual(
      statesOf(await store.claim([claimOf('a', 'three', { over: 'two' })])),
      ['free'],
      'taken over',
    );
    await store.record([recordOf('a', 'three', 'released')]);
    expectEqual(statesOf(await store.claim([claimOf('a', 'four')])), ['unknown'], 'after another release');
  });

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

  check('500 keys are claimed at once', async (store) => {
    const claims = Array.from({ length: 500 }, (_, index) => claimOf(`key ${index}`, 'one'));
    expectEqual(new Set(statesOf(await store.claim(claims))).size, 1, 'states of new keys');
    expectEqual(statesOf(await store.claim(claims)).includes('free'), false, 'a key that is still free');
  });

  check('a key is any text of 255 bytes, and compared exactly', async (store) => {
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

  check('namespaces have nothing to do with each other', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    const other = { namespace: 'other' };
    expectEqual(statesOf(await store.claim([claimOf('a', 'two', other)])), ['free'], 'the other claim');
    await store.record([{ ...recordOf('a', 'two', 'unknown'), ...other }]);
    expectEqual(byKey(await store.open('contract')), [], 'what is open');
    expectEqual(byKey(await store.open('other')), ['a'], 'what is open in the other');
  });

  check('open are the keys that are unknown, and those whose lease is over', async (store) => {
    const short = { leaseMs: 0 };
    const keys = ['accepted', 'released', 'unknown'] as const;
    await store.claim([claimOf('in flight', 'one'), claimOf('over', 'one', short)]);
    await store.claim(keys.map((key) => claimOf(key, 'one', short)));
    await store.record(keys.map((key) => recordOf(key, 'one', key)));
    const open = await store.open('contract');
    expectEqual(byKey(open), ['over', 'unknown'], 'what is open');
    expectEqual(
      open.map(({ attempt, hash }) => [attempt, hash]),
      [
        ['one', '1:hash'],
        ['one', '1:hash'],
      ],
      'the rows',
    );
  });

  check('forgets what has not changed since, but not what is in flight', async (store) => {
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
}
