/** The differences between two sides of one kind that nothing explains. */
import { hunksOf, type Hunk } from './align.ts';
import { isTag, tagsOf, type Side } from './learn.ts';
import { PARTS, type ComparedPart, type ReadMail } from './parts.ts';

/** A mail of a side, with the mail of the other side that is most like it, and the places in which they differ. */
export interface Difference {
  readonly before: ReadMail;
  readonly after: ReadMail;
  readonly part: ComparedPart;
  readonly hunks: readonly Hunk[];
}

/** The first difference of each part; the mails of the later side come first, then those of every earlier run. */
export function differencesOf(runs: readonly Side[], before: Side, after: Side): Difference[] {
  const found = new Map<ComparedPart, Difference>();
  const add = (all: readonly Difference[]) => {
    for (const one of all) {
      const known = found.get(one.part);
      if (known === undefined || one.hunks.length < known.hunks.length) found.set(one.part, one);
    }
  };
  for (const mail of after.mails) {
    const nearest = before.has(mail) ? undefined : before.nearest(mail);
    if (nearest !== undefined) add(between(before, nearest, after, mail));
  }
  // A mail of one earlier run alone was there by chance.
  const lost = runs.map((run) =>
    run.mails.flatMap((mail) => {
      const nearest = after.has(mail) ? undefined : after.nearest(mail);
      return nearest === undefined ? [] : between(before, before.same(mail), after, nearest);
    }),
  );
  const everywhere = (part: ComparedPart) => lost.every((all) => all.some((one) => one.part === part));
  add(lost.flat().filter(({ part }) => !found.has(part) && everywhere(part)));
  return PARTS.flatMap((part) => found.get(part) ?? []);
}

function between(left: Side, before: ReadMail, right: Side, after: ReadMail): Difference[] {
  return PARTS.flatMap((part) => {
    const hunks = hunksOf(before.parts[part].keys, after.parts[part].keys);
    if (hunks.length === 0) return [];
    const [a, b] = [left.varying(before, part), right.varying(after, part)];
    const explains = explanations(left, right, part);
    const unexplained = hunks.filter((hunk) => {
      const one = { keys: before.parts[part].keys, range: hunk.before, varying: a, other: right };
      const two = { keys: after.parts[part].keys, range: hunk.after, varying: b, other: left };
      return !isExplained(explains(one), explains(two));
    });
    return unexplained.length === 0 ? [] : [{ before, after, part, hunks: unexplained }];
  });
}

/** Passages that some mails of a kind have and others do not. Those with the same tags are the same passage with other values. */
class Passages {
  readonly #values: ReadonlySet<string>;
  /** The words that each has in common with those of the same tags. */
  readonly #common = new Map<string, ReadonlySet<string>>();
  readonly #part: ComparedPart;

  constructor(left: Side, right: Side, part: ComparedPart) {
    const [a, b] = [left.learned(part), right.learned(part)];
    const values = new Set([...a.values, ...b.values]);
    for (const words of [...a.passages, ...b.passages]) {
      const tags = rowOf(words);
      const common = this.#common.get(tags) ?? new Set(words);
      for (const word of [...common, ...words])
        if (!isTag(word) && !(common.has(word) && words.includes(word))) values.add(word);
      this.#common.set(tags, new Set([...common].filter((word) => words.includes(word))));
    }
    this.#values = values;
    this.#part = part;
  }

  isValue(word: string): boolean {
    return this.#values.has(word);
  }

  /** Whether it is a number alone in its cell, where the number of rows varies. */
  isNumberOfRow(keys: readonly string[], from: number, to: number): boolean {
    const [before = '', number = '', after = ''] = keys.slice(from - 1, from + 2);
    const isCell = before.startsWith('<td') && after === '</td';
    return (
      to === from + 1 &&
      isCell &&
      /^\d{1,3}$/.test(number) &&
      [...this.#common.keys()].some((row) => row.includes('<td'))
    );
  }

  /** Whether it is such a passage, and its words stand in a mail of the other side too. */
  explain(keys: readonly string[], [from, to]: Place['range'], other: Side): boolean {
    const words = keys.slice(from, to);
    const fixed = words.filter((word) => !this.#values.has(word));
    const common = this.#common.get(rowOf(words));
    if (common === undefined || !fixed.every((word) => common.has(word))) return this.#isRow(keys, from, to);
    return other.mails.some(({ parts }) => {
      const all = new Set(parts[this.#part].keys);
      return fixed.every((word) => all.has(word));
    });
  }

  /** Whether it is a row, such as of a table, with a value in it, beside a row of the same tags. */
  #isRow(keys: readonly string[], from: number, to: number): boolean {
    const words = keys.slice(from, to);
    const isValue = (word: string) => this.#values.has(word) || /^\d{1,3}$/.test(word);
    const texts = words.filter((word) => !isTag(word));
    if (texts.length === 0 || !texts.every(isValue)) return false;
    const tags = words.filter(isTag);
    const row = rowOf(words);
    return (
      tags.length > 0 &&
      [
        keys.slice(0, from).filter(isTag).slice(-tags.length),
        keys.slice(to).filter(isTag).slice(0, tags.length),
      ].some((beside) => rowOf(beside) === row)
    );
  }
}

/** The different tags of a passage: several rows have those of one. */
const rowOf = (words: readonly string[]) => tagsOf([...new Set(words)]);

/** One side of a differing place. */
interface Place {
  readonly keys: readonly string[];
  readonly range: readonly [from: number, to: number];
  readonly varying: ReturnType<Side['varying']>;
  readonly other: Side;
}

/** Why one side of a place may be there: nothing, values, a passage that some mails have, or not known of a single mail. */
type Explanation = 'nothing' | 'values' | 'passage' | 'unknown' | 'none';

function explanations(left: Side, right: Side, part: ComparedPart): (place: Place) => Explanation {
  const passages = new Passages(left, right, part);
  return ({ keys, range: [from, to], varying, other }) => {
    if (from === to) return 'nothing';
    const words = keys.slice(from, to);
    if (other === left && words.some((word) => isOdd(word) && !left.hasWord(word, part))) return 'none';
    if (passages.isNumberOfRow(keys, from, to)) return 'values';
    if (words.every((word, index) => varying.values.has(from + index) || passages.isValue(word)))
      return 'values';
    if (passages.explain(keys, [from, to], other)) return 'passage';
    return varying.isKnown ? 'none' : 'unknown';
  };
}

/** A host; or what a program writes in the place of a value that it does not have. */
const isOdd = (word: string) => /^(?:https?:\/\/|\/\/|<?(?:undefined|NaN|Object)$)/.test(word);

function isExplained(before: Explanation, after: Explanation): boolean {
  const both = [before, after];
  if (both.includes('none')) return false;
  if (both.includes('nothing')) return both.includes('passage');
  return both.some((one) => one === 'values' || one === 'passage');
}
