/** The most differing letters of a suggestion. */
const MOST = 2;

/** The edit distance of two texts: the number of added, removed or replaced letters. */
function distance(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of Array.from(one).entries()) {
    const next = [row + 1];
    for (const [column, wanted] of Array.from(other).entries()) {
      const [replaced = 0, removed = 0] = before.slice(column, column + 2);
      next.push(Math.min(replaced + (letter === wanted ? 0 : 1), removed + 1, (next[column] ?? 0) + 1));
    }
    before = next;
  }
  return before[other.length] ?? 0;
}

/** A suffix for a message about an unknown name: the nearest known name, or an empty text. */
export function didYouMean(name: string, known: readonly string[]): string {
  const plain = (text: string) => text.replace(/[_-]/g, '').toLowerCase();
  const near = known
    .map((other) => ({ other, slips: distance(plain(name).slice(0, 40), plain(other)) }))
    .filter(({ other, slips }) => slips <= Math.min(MOST, Math.min(name.length, other.length) / 2))
    .sort((a, b) => a.slips - b.slips);
  return near[0] === undefined ? '' : `; did you mean \`${near[0].other}\`?`;
}
