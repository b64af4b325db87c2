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
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let [endA, endB] = [before.length, after.length];
  while (endA > start && endB > start && before[endA - 1] === after[endB - 1])
    [endA, endB] = [endA - 1, endB - 1];
  if (start === endA && start === endB) return [];
  const whole: Hunk[] = [{ before: [start, endA], after: [start, endB] }];
  if (start === endA || start === endB || (endA - start === 1 && endB - start === 1)) return whole;
  let [a, b] = [start, start];
  let isOpen = false;
  const parts = diffArrays(before.slice(start, endA), after.slice(start, endB), { maxEditLength: MOST });
  if (parts === undefined) return whole;
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
