/** Where two lists of words differ. The only file that imports the package `diff`. */
import { diffArrays } from 'diff';

/** A differing place: words `from` to `to` of both lists, without the last. One of both may be empty. */
export interface Hunk {
  readonly before: readonly [from: number, to: number];
  readonly after: readonly [from: number, to: number];
}

/** The most differing words that are told apart. With more, everything between the equal ends is one place. */
const MOST = 3_000;

/** The places in which two lists of keys differ. */
export function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [left, right] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (left.length === 0 && right.length === 0) return [];
  const whole: Hunk = { before: [start, start + left.length], after: [start, start + right.length] };
  if (left.length === 0 || right.length === 0) return [whole];
  const parts = diffArrays([...left], [...right], { maxEditLength: MOST });
  if (parts === undefined) return [whole];
  const hunks: Hunk[] = [];
  let [a, b] = [start, start];
  let isOpen = false;
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
