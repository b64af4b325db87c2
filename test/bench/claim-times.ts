import type { JournalClaim, JournalStore } from '../../src/entries/journal/index.ts';
import { digits, median, table } from './bench.ts';

/** Milliseconds, as medians. */
export interface ClaimTimes {
  readonly claim500: number;
  readonly record500: number;
  readonly claim1: number;
  readonly record1: number;
}

export const claimOf = (key: string): JournalClaim => ({
  namespace: 'default',
  key,
  hash: `1:${'0'.repeat(64)}`,
  stream: 'bulk',
  attempt: crypto.randomUUID(),
  leaseMs: 90_000,
});

/** How long it takes to claim new keys, and to record that they are accepted. */
export async function claimTimes(store: JournalStore, prefix: string, calls: number): Promise<ClaimTimes> {
  const timed = async (count: number) => {
    const claims: number[] = [];
    const records: number[] = [];
    for (let call = 0; call < calls; call += 1) {
      const keys = Array.from({ length: count }, (_, index) =>
        claimOf(`${prefix}/${count}/reader-${call * count + index}`),
      );
      const before = performance.now();
      const entries = await store.claim(keys);
      const between = performance.now();
      await store.record(
        keys.map((key) => ({ ...key, state: 'accepted', messageIds: [crypto.randomUUID()] })),
      );
      records.push(performance.now() - between);
      claims.push(between - before);
      if (entries.some((entry) => entry !== undefined)) throw new Error('A new key was refused');
    }
    return [median(claims), median(records)] as const;
  };
  const [claim500, record500] = await timed(500);
  const [claim1, record1] = await timed(1);
  return { claim500, record500, claim1, record1 };
}

/** A row for each table. */
export function claimTimesTable(rows: readonly (readonly [string, ClaimTimes])[]): string[] {
  return table([
    ['ms, medians', 'claim 500', 'record 500', 'claim 1', 'record 1'],
    ...rows.map(([name, { claim500, record500, claim1, record1 }]) => [
      name,
      ...[claim500, record500, claim1, record1].map((ms) => digits(ms, 2)),
    ]),
  ]);
}
