/** The differences between two sides of one kind that nothing explains. */
import { hunksOf, type Hunk } from './align.ts';
import { wordsOf, type Side } from './learn.ts';
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
    const unexplained = hunks.filter((hunk) => !isValue(hunk, a, b) && !isOptional(hunk, part));
    return unexplained.length === 0 ? [] : [{ before, after, part, hunks: unexplained }];

    /** A passage that some mails have on both sides, and others do not, or that is there several times. */
    function isOptional(hunk: Hunk, name: ComparedPart): boolean {
      const isAdded = hunk.before[0] === hunk.before[1];
      if (!isAdded && hunk.after[0] !== hunk.after[1]) return false;
      const [mail, range, values] = isAdded
        ? [after, hunk.after, b.values]
        : [before, hunk.before, a.values];
      const words = wordsOf(mail.parts[name].keys, range, values);
      const [own, other] = isAdded ? [right, left] : [left, right];
      if (!own.optional(name).has(words) && !other.optional(name).has(words)) return false;
      const wanted = words === '' ? [] : words.split('\u0002');
      return other.mails.some(({ parts }) => {
        const keys = new Set(parts[name].keys);
        return wanted.every((word) => keys.has(word));
      });
    }
  });
}

type Varying = ReturnType<Side['varying']>;

/** Whether a place has a value in both mails, and nothing else. */
function isValue({ before, after }: Hunk, a: Varying, b: Varying): boolean {
  const [left, right] = [areValues(before, a), areValues(after, b)];
  const [isEmptyLeft, isEmptyRight] = [before[0] === before[1], after[0] === after[1]];
  if (isEmptyLeft || isEmptyRight) return false;
  return (left && (right || !b.isKnown)) || (right && !a.isKnown);
}

function areValues([from, to]: readonly [number, number], { values }: Varying): boolean {
  for (let index = from; index < to; index += 1) if (!values.has(index)) return false;
  return true;
}
