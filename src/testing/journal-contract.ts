/** The contract of a journal store, as tests for your own store. */
import type { JournalClaim, JournalEntry, JournalRecord, JournalStore } from '../journal/types.ts';

/** The function `test` of Vitest, Jest, `node:test` or another test runner. */
export type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/** A lease that outlasts the test. */
const LONG_MS = 3_600_000;

/** A hash in the format of the journal: a version, and SHA-256 in hexadecimal. */
const HASH = `1:${'0123456789abcdef'.repeat(4)}`;

/** A pause after which a store sees a different time. */
const APART_MS = 50;
/** The pause, less a tolerance for timers that fire early. */
const NEARLY_MS = APART_MS - 10;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const claimOf = (key: string, attempt: string, more: Partial<JournalClaim> = {}): JournalClaim => ({
  namespace: 'contract',
  key,
  hash: HASH,
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
  stream: JournalRecord['stream'] = 'transactional',
): JournalRecord => ({ namespace: 'contract', key, stream, attempt, state, messageIds });

function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what}: expected ${should}, but it is ${is}`);
}

/** The states of keys after a claim. `free` means that the claim succeeded. */
const statesOf = (entries: readonly (JournalEntry | undefined)[]) =>
  entries.map((entry) => entry?.state ?? 'free');

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
  const check = (name: string, run: (store: JournalStore) => Promise<void>) =>
    test(`journal store: ${name}`, async () => run(await createStore()));

  check('a new key can be claimed, and not again while its lease runs', async (store) => {
    expectEqual(statesOf(await store.claim([claimOf('a', 'one')])), ['free'], 'the first claim');
    const [entry] = await store.claim([claimOf('a', 'two', { hash: '1:other' })]);
    expectEqual(entry?.state, 'claimed', 'the state');
    expectEqual([entry?.key, entry?.attempt, entry?.hash], ['a', 'one', HASH], 'the row');
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

  check('only the attempt that has claimed a key releases it, or makes it unknown', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    await store.record([recordOf('a', 'two', 'released'), recordOf('a', 'two', 'unknown')]);
    const [entry] = await store.claim([claimOf('a', 'three')]);
    expectEqual([entry?.state, entry?.attempt], ['claimed', 'one'], 'the key');
  });

  check('no attempt takes over a key whose lease runs', async (store) => {
    await store.claim([claimOf('a', 'one'), claimOf('b', 'one', { leaseMs: 0 })]);
    expectEqual(
      statesOf(await store.claim([claimOf('a', 'two', { over: 'one' })])),
      ['claimed'],
      'the first',
    );
    await store.claim([claimOf('b', 'two', { over: 'one' })]);
    const [entry] = await store.claim([claimOf('b', 'three', { over: 'two' })]);
    expectEqual([entry?.state, entry?.attempt], ['claimed', 'two'], 'one that was taken over');
    expectEqual((entry?.leaseLeftMs ?? 0) > 0, true, 'that its new lease runs');
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
    expectEqual((entry?.leaseLeftMs ?? 1) <= 0, true, 'that its lease is over');
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

  check(
    'the age counts from the first claim: not from a take-over, but anew after a release',
    async (store) => {
      await store.claim([claimOf('taken over', 'one', { leaseMs: 0 }), claimOf('released', 'one')]);
      await sleep(APART_MS);
      await store.record([recordOf('released', 'one', 'released')]);
      const keys = ['taken over', 'released', 'new'];
      await store.claim(keys.map((key) => claimOf(key, 'two', { over: 'one' })));
      const [over, again, first] = await store.claim(keys.map((key) => claimOf(key, 'three')));
      const ageOf = (entry: JournalEntry | undefined) => entry?.ageMs ?? NaN;
      expectEqual(
        ageOf(over) - ageOf(first) >= NEARLY_MS,
        true,
        `the age after a take-over, ${ageOf(over)} ms,`,
      );
      expectEqual(ageOf(over) - ageOf(again) >= NEARLY_MS, true, `that after a release, ${ageOf(again)} ms,`);
    },
  );

  check('namespaces are independent of each other', async (store) => {
    await store.claim([claimOf('a', 'one')]);
    const other = { namespace: 'other' };
    expectEqual(statesOf(await store.claim([claimOf('a', 'two', other)])), ['free'], 'the other claim');
    await store.record([{ ...recordOf('a', 'two', 'unknown'), ...other }]);
    expectEqual(byKey(await store.open('contract')), [], 'the open keys');
    expectEqual(byKey(await store.open('other')), ['a'], 'the open keys of the other');
  });

  check('open keys are the unknown keys, and the keys whose lease is over', async (store) => {
    const short = { leaseMs: 0 };
    const keys = ['accepted', 'released', 'unknown'] as const;
    await store.claim([claimOf('in flight', 'one'), claimOf('over', 'one', short)]);
    await store.claim(keys.map((key) => claimOf(key, 'one', short)));
    await store.record(keys.map((key) => recordOf(key, 'one', key)));
    const open = await store.open('contract');
    expectEqual(byKey(open), ['over', 'unknown'], 'the open keys');
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
}
