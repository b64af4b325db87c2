/** Where two lists of words differ. The only file that imports the package `diff`. */
import { diffArrays } from 'diff';

/** A differing place: words `from` to `to` of both lists, without the last. One of both may be empty. */
export interface Hunk {
  readonly before: readonly [from: number, to: number];
  readonly after: readonly [from: number, to: number];
}

/** The most differing words that are told apart. With more, the lists differ as a whole. */
const MOST = 800;

/** The places in which two lists of keys differ. */
export function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [a, b] = [0, 0];
  let isOpen = false;
  const parts = diffArrays([...before], [...after], { maxEditLength: MOST });
  if (parts === undefined) return [{ before: [0, before.length], after: [0, after.length] }];
  for (const { added, removed, count } of parts) {
    const [nextA, nextB] = [added ? a : a + count, removed ? b : b + count];
    if (added || removed) {
      const last = isOpen ? hunks.pop() : undefined;
      hunks.push({ before: [last?.before[0] ?? a, nextA], after: [last?.after[0] ?? b, nextB] });
    }
    isOpen = added || removed;
    [a, b] = [nextA, nextB];
  }
  return hunks;
}
