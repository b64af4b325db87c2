/** A longer name is no slip of a known one, and takes long to compare. */
const MAX_LENGTH = 40;
const MAX_SLIPS = 2;

/** The same words in camel case, snake case or kebab case become the same text. */
const wordsOf = (name: string) => name.replace(/[_-]/g, '').toLowerCase();

/** How many letters have to be added, left out or replaced to make one text of the other (Levenshtein). */
function distance(one: string, other: string): number {
  let row = [...Array(other.length + 1).keys()];
  Array.from(one).forEach((letter, index) => {
    const next = [index + 1];
    row.slice(1).forEach((above, column) => {
      const replaced = (row[column] ?? 0) + Number(letter !== other[column]);
      next.push(Math.min(replaced, above + 1, (next[column] ?? 0) + 1));
    });
    row = next;
  });
  return row.at(-1) ?? 0;
}

/** What to add to a message about an unknown name: the known one that was probably meant, if there is one. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (name.length > MAX_LENGTH) return '';
  const words = wordsOf(name);
  const most = Math.min(MAX_SLIPS, words.length / 2);
  const [meant] = known
    .map((other) => ({ other, slips: distance(words, wordsOf(other)) }))
    .filter(({ slips }) => slips <= most)
    .sort((one, other) => one.slips - other.slips);
  return meant ? `; did you mean \`${meant.other}\`?` : '';
}
