/** The differences between two sides of one kind that nothing explains. */
import { hunksOf, type Hunk } from './align.ts';
import type { Side } from './learn.ts';
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
  if (lost.every((all) => all.length > 0)) {
    const everywhere = (part: ComparedPart) => lost.every((all) => all.some((one) => one.part === part));
    add(lost.flat().filter(({ part }) => !found.has(part) && everywhere(part)));
  }
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

const isTag = (word: string) => word.startsWith('<');
const tagsOf = (words: ReadonlySet<string>) => [...words].filter(isTag).sort().join('\u0002');

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
      const common = this.#common.get(tagsOf(words));
      if (common === undefined) this.#common.set(tagsOf(words), words);
      else {
        this.#common.set(tagsOf(words), new Set([...common].filter((word) => words.has(word))));
        for (const one of [common, words])
          for (const word of one) if (!common.has(word) || !words.has(word)) values.add(word);
      }
    }
    this.#values = values;
    this.#part = part;
  }

  isValue(word: string): boolean {
    return this.#values.has(word);
  }

  /** Whether it is such a passage, and its words stand in a mail of the other side too. */
  explain(words: readonly string[], other: Side): boolean {
    const common = this.#common.get(tagsOf(new Set(words)));
    const fixed = words.filter((word) => !this.#values.has(word));
    if (common === undefined || !fixed.every((word) => common.has(word))) return false;
    return other.mails.some(({ parts }) => {
      const keys = new Set(parts[this.#part].keys);
      return fixed.every((word) => keys.has(word));
    });
  }
}

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
    if (words.every((word, index) => varying.values.has(from + index) || passages.isValue(word))) return 'values';
    if (passages.explain(words, other)) return 'passage';
    return varying.isKnown ? 'none' : 'unknown';
  };
}

function isExplained(before: Explanation, after: Explanation): boolean {
  const both = [before, after];
  if (both.includes('none')) return false;
  if (both.includes('nothing')) return both.includes('passage');
  return both.some((one) => one === 'values' || one === 'passage');
}
