import assert from 'node:assert/strict';
import type { DatabaseJournal } from '../../../src/entries/journal/index.ts';
import { claimOf } from './claim-of.ts';

/** Tests `claimed` and `free`, the extra functions of a journal in a database. Also runs without vitest. */
export function testFreeKeys(
  test: (name: string, run: () => Promise<void>) => unknown,
  journalIn: (namespace: string) => DatabaseJournal,
): void {
  const claimIn = (namespace: string, key: string, attempt: string, leaseMs = 60_000, over?: string) =>
    journalIn(namespace).store.claim([claimOf(key, attempt, { namespace, leaseMs, over })]);
  const record = (
    namespace: string,
    key: string,
    attempt: string,
    state: 'unknown' | 'released' | 'accepted',
  ) =>
    journalIn(namespace).store.record([
      { namespace, key, stream: 'transactional', attempt, state, messageIds: [] },
    ]);
  const stateOf = async (namespace: string, key: string) => {
    const [entry] = await journalIn(namespace).store.claim([claimOf(key, 'look', { namespace })]);
    return entry?.state;
  };

  test('`claimed` has the keys whose lease is not over, and no others', async () => {
    const journal = journalIn('claimed');
    await claimIn('claimed', 'a', 'one');
    await claimIn('claimed', 'over', 'one', 0);
    await claimIn('claimed', 'unknown', 'one');
    await record('claimed', 'unknown', 'one', 'unknown');
    await claimIn('claimed-elsewhere', 'b', 'one');
    const entries = await journal.claimed();
    assert.deepEqual(
      entries.map(({ key, state }) => [key, state]),
      [['a', 'claimed']],
    );
    assert.ok((entries[0]?.leaseLeftMs ?? 0) > 0);
  });

  test('`free` frees open keys, and returns these', async () => {
    const journal = journalIn('free');
    for (const key of ['unknown', 'accepted', 'flying']) await claimIn('free', key, 'one');
    await claimIn('free', 'over', 'one', 0);
    await record('free', 'unknown', 'one', 'unknown');
    await record('free', 'accepted', 'one', 'accepted');
    const keys = ['unknown', 'over', 'accepted', 'flying', 'none'];
    assert.deepEqual([...(await journal.free(keys, 'release'))].sort(), ['over', 'unknown']);
    assert.deepEqual(await journal.store.open('free'), []);
    for (const key of ['unknown', 'over', 'none']) assert.equal(await stateOf('free', key), undefined);
    assert.deepEqual(
      [await stateOf('free', 'accepted'), await stateOf('free', 'flying')],
      ['accepted', 'claimed'],
    );
    await assert.rejects(journal.free([], 'forget' as 'release'), /'release', 'resend'/);
  });

  test('a key freed to be sent again is unknown if that send fails, one that was released is free', async () => {
    for (const as of ['release', 'resend'] as const) {
      await claimIn('again', as, 'one');
      await record('again', as, 'one', 'unknown');
      await journalIn('again').free([as], as);
      assert.deepEqual(await claimIn('again', as, 'two'), [undefined]);
      await record('again', as, 'two', 'released');
    }
    assert.deepEqual(
      (await journalIn('again').store.open('again')).map(({ key }) => key),
      ['resend'],
    );
    assert.deepEqual(await claimIn('again', 'release', 'three'), [undefined]);
  });

  test('an event settles a key freed to be sent again, and none that was released', async () => {
    for (const as of ['release', 'resend'] as const) {
      await claimIn('event', as, 'one', 0);
      await journalIn('event').free([as], as);
      await record('event', as, '', 'accepted');
    }
    assert.deepEqual(
      [await stateOf('event', 'release'), await stateOf('event', 'resend')],
      [undefined, 'accepted'],
    );
  });

  test('any number of keys', async () => {
    const keys = Array.from({ length: 2_500 }, (_, index) => `key/${index}`);
    const claims = keys.map((key) => claimOf(key, 'one', { namespace: 'many', leaseMs: 0 }));
    await journalIn('many').store.claim(claims);
    assert.equal((await journalIn('many').free(keys, 'resend')).length, keys.length);
  });
}
