/** The most letters by which a suggestion differs. */
const MAX_SLIPS = 2;

/** Normalizes a name: camel case, snake case and kebab case give the same text. */
const wordsOf = (name: string) => name.replace(/[_-]/g, '').toLowerCase();

/** Whether the edit distance of two texts is at most `slips`. */
function isNear(one: string, other: string, slips: number): boolean {
  if (one === other) return true;
  const [tail, otherTail] = [one.slice(1), other.slice(1)];
  if (one.at(0) === other.at(0)) return isNear(tail, otherTail, slips);
  if (slips === 0) return false;
  return (
    isNear(tail, otherTail, slips - 1) || isNear(tail, other, slips - 1) || isNear(one, otherTail, slips - 1)
  );
}

/** The known name with the same words: `replyTo` and `reply_to` are equal. */
export const sameWords = (name: string, known: readonly string[]): string | undefined =>
  known.find((other) => wordsOf(other) === wordsOf(name));

/** The known name that an unknown name probably misspells. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const words = wordsOf(name);
  for (let slips = 0; slips <= Math.min(MAX_SLIPS, words.length / 2); slips += 1) {
    const meant = known.find((other) => isNear(words, wordsOf(other), slips));
    if (meant !== undefined) return meant;
  }
  return undefined;
}

/** A suffix for a message about an unknown name: the nearest known name, or `''`. */
export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : `; did you mean \`${meant}\`?`;
}
