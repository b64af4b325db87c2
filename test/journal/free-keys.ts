import type { DatabaseJournal } from 'email-platform/journal';
import { expect, type TestAPI } from 'vitest';
import { claimOf } from './claim-of.ts';

/** What a journal in a database does beside being a journal: `claimed` and `free`. */
export function testFreeKeys(test: TestAPI, journalIn: (namespace: string) => DatabaseJournal): void {
  const claimIn = (namespace: string, key: string, attempt: string, leaseMs = 60_000, over?: string) =>
    journalIn(namespace).store.claim([claimOf(key, attempt, { namespace, leaseMs, over })]);
  const record = (
    namespace: string,
    key: string,
    attempt: string,
    state: 'unknown' | 'released' | 'accepted',
  ) =>
    journalIn(namespace).store.record([
      { namespace, key, stream: 'transactional', attempt, state, messageIds: [] } as never,
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
    expect(entries.map(({ key, state }) => [key, state])).toEqual([['a', 'claimed']]);
    expect(entries[0]?.leaseLeftMs).toBeGreaterThan(0);
  });

  test('`free` frees open keys, and returns these', async () => {
    const journal = journalIn('free');
    for (const key of ['unknown', 'accepted', 'flying']) await claimIn('free', key, 'one');
    await claimIn('free', 'over', 'one', 0);
    await record('free', 'unknown', 'one', 'unknown');
    await record('free', 'accepted', 'one', 'accepted');
    const keys = ['unknown', 'over', 'accepted', 'flying', 'none'];
    expect([...(await journal.free(keys, 'release'))].sort()).toEqual(['over', 'unknown']);
    expect(await journal.store.open('free')).toEqual([]);
    for (const key of ['unknown', 'over', 'none']) expect(await stateOf('free', key)).toBeUndefined();
    expect([await stateOf('free', 'accepted'), await stateOf('free', 'flying')]).toEqual([
      'accepted',
      'claimed',
    ]);
    await expect(journal.free([], 'forget' as 'release')).rejects.toThrow("'release', 'resend'");
  });

  test('a key freed to be sent again is unknown if that send fails, one that was released is free', async () => {
    for (const as of ['release', 'resend'] as const) {
      await claimIn('again', as, 'one');
      await record('again', as, 'one', 'unknown');
      await journalIn('again').free([as], as);
      expect(await claimIn('again', as, 'two')).toEqual([undefined]);
      await record('again', as, 'two', 'released');
    }
    expect((await journalIn('again').store.open('again')).map(({ key }) => key)).toEqual(['resend']);
    expect(await claimIn('again', 'release', 'three')).toEqual([undefined]);
  });

  test('any number of keys', async () => {
    const keys = Array.from({ length: 2_500 }, (_, index) => `key/${index}`);
    const claims = keys.map((key) => claimOf(key, 'one', { namespace: 'many', leaseMs: 0 }));
    await journalIn('many').store.claim(claims);
    expect(await journalIn('many').free(keys, 'resend')).toHaveLength(keys.length);
  });
}
