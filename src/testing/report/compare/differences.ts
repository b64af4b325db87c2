/**
 * The differences between two sides of one kind that nothing accounts for. A block is accounted for if the other side has it,
 * or has one that differs in gaps alone; and two blocks beside each other, if the other side has them in the same order, with
 * at most optional blocks between.
 */
import { grouped } from '../../../kit/grouped.ts';
import { hunksOf, type Hunk } from './align.ts';
import { likeness, PARTS, type ComparedPart, type ReadMail } from './parts.ts';
import { ALONE, BEFORE, OPTIONAL, Side, tagsOf, VARIES, type Block } from './side.ts';

/** A mail of a side, with the mail of the other side that is most like it, and the places in which they differ. */
export interface Difference {
  readonly before: ReadMail;
  readonly after: ReadMail;
  readonly part: ComparedPart;
  readonly hunks: readonly Hunk[];
}

/** The most mails that are looked at for the fewest places. */
const MOST_SHOWN = 4;

/** The unaccounted blocks of mails, by their index. */
type Unaccounted = Map<ReadMail, Set<number>>;

/** The difference of each part, between the mails of each earlier run and those of the later run. */
export function differencesOf(
  runs: readonly (readonly ReadMail[])[],
  later: readonly ReadMail[],
): Difference[] {
  const earlier = runs.flat();
  return PARTS.flatMap((part) => {
    const [lost, added] = unaccountedOf(new Side(earlier, part), new Side(later, part), part);
    // A mail of one earlier run alone was there by chance.
    const isLost = added.size === 0 && runs.every((run) => run.some((mail) => lost.has(mail)));
    const shown = [...(isLost ? lost : added).keys()].slice(0, MOST_SHOWN);
    return shown
      .map((mail): Difference => {
        const [before, after] = isLost ? [mail, nearest(later, mail)] : [nearest(earlier, mail), mail];
        return { before, after, part, hunks: placesOf(before, after, part, lost, added) };
      })
      .sort((a, b) => a.hunks.length - b.hunks.length)
      .slice(0, 1);
  });
}

const nearest = (mails: readonly ReadMail[], mail: ReadMail) =>
  mails.map((one) => ({ one, is: likeness(one, mail) })).reduce((a, b) => (b.is > a.is ? b : a)).one;

/** Where two mails differ: in or beside their unaccounted blocks. */
function placesOf(
  before: ReadMail,
  after: ReadMail,
  part: ComparedPart,
  lost: Unaccounted,
  added: Unaccounted,
) {
  const all = hunksOf(before.parts[part].keys, after.parts[part].keys);
  const isIn = (mail: ReadMail, unaccounted: Unaccounted, [from, to]: Hunk['before']) =>
    mail.parts[part].blocks.some(
      (block, index) => unaccounted.get(mail)?.has(index) && block.from <= to && from <= block.to,
    );
  const found = all.filter((one) => isIn(before, lost, one.before) || isIn(after, added, one.after));
  return found.length > 0 ? found : all;
}

function unaccountedOf(left: Side, right: Side, part: ComparedPart) {
  const [lost, added]: [Unaccounted, Unaccounted] = [new Map(), new Map()];
  const sides = [
    [left, right, lost],
    [right, left, added],
  ] as const;
  /** By the key of a block, the key of another one that is the same passage with other values. */
  const same = new Map<string, string>();
  const passageOf = (key: string): string => {
    let passage = key;
    for (let next = same.get(key); next !== undefined; next = same.get(passage)) passage = next;
    if (passage !== key) same.set(key, passage);
    return passage;
  };
  const join = (a: Block, b: Block) => {
    const [one, other] = [passageOf(a.key), passageOf(b.key)];
    if (one !== other) same.set(one, other);
  };
  const add = (unaccounted: Unaccounted, mail: ReadMail, index: number) =>
    unaccounted.set(mail, (unaccounted.get(mail) ?? new Set()).add(index));

  for (const [own, other, unaccounted] of sides) {
    const unknown = new Set<string>();
    for (const block of own.blocks.values()) {
      if (own.count(block) < own.mails.length) for (const peer of own.peers(block)) join(block, peer);
      if (other.blocks.has(block.key)) continue;
      const twin = other.like(block).find(({ one }) => isTwin(own, block, other, one, own === right));
      if (twin === undefined) unknown.add(block.key);
      else join(block, twin.one);
    }
    for (const mail of unknown.size === 0 ? [] : own.mails)
      for (const [index, { key }] of mail.parts[part].blocks.entries())
        if (unknown.has(key)) add(unaccounted, mail, index);
  }
  if (part !== 'html' && part !== 'text') return [lost, added] as const;
  const listOf = (mail: ReadMail) => [
    '',
    ...mail.parts[part].blocks.map(({ key }) => passageOf(key)),
    '\u0001',
  ];
  const lists = new Map([...left.mails, ...right.mails].map((mail) => [mail, listOf(mail)]));
  for (const [own, other, unaccounted] of sides) {
    const isInOrder = orderOf(
      other.mails.map((mail) => lists.get(mail) ?? []),
      [...lists.values()],
    );
    for (const mail of own.mails)
      for (const [index, passage] of lists.get(mail)?.slice(1).entries() ?? [])
        if (!isInOrder(lists.get(mail)?.[index] ?? '', passage)) {
          add(unaccounted, mail, Math.max(0, index - 1));
          add(unaccounted, mail, index);
        }
  }
  return [lost, added] as const;
}

/** Whether two blocks differ in gaps alone. */
function isTwin(own: Side, block: Block, other: Side, twin: Block, isLater: boolean): boolean {
  const [mine, theirs] = [own.gaps(block), other.gaps(twin)];
  return hunksOf(block.keys, twin.keys).every(({ before, after }) => {
    const [words, others] = [block.keys.slice(...before), twin.keys.slice(...after)];
    const [a, b] = [[...mine.slice(...before)], [...theirs.slice(...after)]];
    if (isLater && words.some((word) => isOdd(word) && !other.words.has(word))) return false;
    const fixed = (all: readonly string[], gaps: readonly number[]) =>
      all.filter((_, index) => !has(gaps[index], VARIES));
    if (words.length === 0)
      return isOptional(theirs, after) || (has(mine[before[0]], BEFORE) && own.has(fixed(others, b), twin));
    if (others.length === 0)
      return isOptional(mine, before) || (has(theirs[after[0]], BEFORE) && other.has(fixed(words, a), block));
    const both = [...words, ...others];
    if (words.every(isNumber) !== others.every(isNumber) || tagsOf(words) !== tagsOf(others)) return false;
    if (both.every((word) => AMOUNT.test(word)) || [...a, ...b].every((gap) => has(gap, VARIES | ALONE)))
      return true;
    const [some, rest] = [fixed(words, a).length, fixed(others, b).length];
    return (some === 0 && (rest === 0 || rest === b.length)) || (rest === 0 && some === a.length);
  });
}

const has = (gap: number | undefined, sign: number) => ((gap ?? 0) & sign) > 0;
const isNumber = (word: string) => /^\d/.test(word);
const AMOUNT = /^\d{1,9}[.,]\d\d$/;
/** A host; or what a program writes in the place of a value that it does not have. */
const isOdd = (word: string) => /^(?:https?:\/\/|\/\/|<?(?:undefined|NaN|Object)$)/.test(word);

/** Whether words may be absent: an email of their side has none of them, or other words of the same value are left. */
function isOptional(gaps: Uint8Array, [from, to]: Hunk['before']): boolean {
  const own = [...gaps.slice(from, to)];
  const beside = (gaps[from - 1] ?? 0) | (gaps[to] ?? 0);
  return (
    (own.every((gap) => has(gap, OPTIONAL)) && !has(beside, OPTIONAL)) ||
    (own.every((gap) => has(gap, VARIES)) && has(beside, VARIES))
  );
}

/** Whether emails have one passage after another one, with at most optional passages between, or none has both. */
function orderOf(own: readonly (readonly string[])[], all: readonly (readonly string[])[]) {
  const counts = new Map<string, { mails: number; sizes: Set<number> }>();
  for (const list of all)
    for (const [passage, { length }] of grouped(list, (one) => [one])) {
      const known = counts.get(passage) ?? { mails: 0, sizes: new Set() };
      counts.set(passage, { mails: known.mails + 1, sizes: known.sizes.add(length) });
    }
  const varies = (passage: string) => (counts.get(passage)?.sizes.size ?? 0) > 1;
  const isOptional = (passage: string) => varies(passage) || counts.get(passage)?.mails !== all.length;
  const withPassage = grouped(own, (list) => new Set(list));
  const known = new Map<string, boolean>();
  const isAfter = (a: string, b: string) => {
    const both = (withPassage.get(a) ?? []).filter((list) => list.includes(b));
    return (
      both.length === 0 ||
      (varies(a) && varies(b)) ||
      both.some((list) =>
        list.some((one, index) => {
          if (one !== a) return false;
          const rest = list.slice(index + 1);
          return rest[rest.findIndex((next) => next === b || !isOptional(next))] === b;
        }),
      )
    );
  };
  return (a: string, b: string): boolean => {
    const key = `${a}\u0003${b}`;
    const found = known.get(key) ?? isAfter(a, b);
    known.set(key, found);
    return found;
  };
}
