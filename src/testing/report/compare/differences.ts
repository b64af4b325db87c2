/**
 * The differences between two sides of one kind that nothing accounts for. A block is accounted for if the other side has it,
 * or has one that differs in gaps alone; and two blocks beside each other, if the other side has them in the same order, with
 * at most optional blocks between.
 */
import { grouped } from '../../../kit/grouped.ts';
import { late } from '../../../kit/late.ts';
import { hunksOf, type Hunk } from './align.ts';
import { likeness, PARTS, type ComparedPart, type ReadMail } from './parts.ts';
import { GAP, has, isVague, sidesOf, tagsOf, trimmed, type Block, type Side } from './side.ts';
import { differ, twinsOf, type Twins } from './twins.ts';
import { AMOUNT, valuesOf, withoutAmounts, type DifferingValue } from './values.ts';

/** A mail of a side, with the mail of the other side that is most like it, and the places in which they differ. */
export interface Difference {
  readonly before: ReadMail;
  readonly after: ReadMail;
  readonly part: ComparedPart;
  readonly hunks: readonly Hunk[];
}

/** With this many unaccounted blocks of a side, no counterpart of a further one is looked for. */
const MOST_UNKNOWN = 32;
/** The most mails that are looked at for the fewest places. */
const MOST_SHOWN = 4;

/** The parts in which a template writes its values. */
const BODY: readonly ComparedPart[] = ['subject', 'html', 'text', 'links'];

/** The unaccounted blocks of mails, by their index. */
type Unaccounted = Map<ReadMail, Set<number>>;

/** The differences between the mails of each earlier run and those of the later run, or else what is not compared. */
export function differencesOf(
  runs: readonly (readonly ReadMail[])[],
  later: readonly ReadMail[],
): {
  readonly found: readonly Difference[];
  readonly isSure: boolean;
  readonly values: readonly DifferingValue[];
} {
  const earlier = runs.flat();
  const all = PARTS.map((part) => {
    const values = valuesOf(earlier, later, part);
    const changed = values.filter(({ isChange }) => isChange);
    const [left, right] = sidesOf(earlier, later, part);
    return { part, left, values, changed, ...unaccountedOf(left, right, part, changed) };
  });
  const shownOf = (
    { part, changed }: (typeof all)[number],
    [lost, added]: readonly [Unaccounted, Unaccounted],
  ) => {
    // A mail of one earlier run alone was there by chance.
    const isLost = added.size === 0 && runs.every((run) => run.some((mail) => lost.has(mail)));
    const shown = [...(isLost ? lost : added).keys()].slice(0, MOST_SHOWN);
    return fewest(
      shown.map((mail): Difference => {
        const [before, after] = isLost ? [mail, nearest(later, mail)] : [nearest(earlier, mail), mail];
        return { before, after, part, hunks: placesOf(before, after, part, lost, added, changed) };
      }),
    );
  };
  const unaccounted = all.flatMap((one) => shownOf(one, one.sure));
  const body = all.flatMap(({ part, left }) => (BODY.includes(part) ? [left] : []));
  const twins = unaccounted.length > 0 || runs.length > 1 ? [] : twinsOf(earlier, later, body);
  const found = twins.length === 0 ? unaccounted : BODY.flatMap((part) => differenceOf(twins, part));
  const isSure = found.length > 0;
  return {
    found: isSure ? found : all.flatMap((one) => shownOf(one, one.doubtful)),
    isSure,
    values: all.flatMap(({ values }) => values),
  };
}

/** One of the twins that differ in a part. */
function differenceOf(twins: readonly Twins[], part: ComparedPart): Difference[] {
  const shown = twins.filter((pair) => differ(pair, part)).slice(0, MOST_SHOWN);
  const keysOf = ({ parts }: ReadMail) => parts[part].keys;
  return fewest(
    shown.map((pair) => ({ ...pair, part, hunks: hunksOf(keysOf(pair.before), keysOf(pair.after)) })),
  );
}

/** The difference with the fewest places. */
const fewest = (all: readonly Difference[]) =>
  all.toSorted((a, b) => a.hunks.length - b.hunks.length).slice(0, 1);

const nearest = (mails: readonly ReadMail[], mail: ReadMail) =>
  mails.map((one) => ({ one, is: likeness(one, mail) })).reduce((a, b) => (b.is > a.is ? b : a)).one;

/** Where two mails differ: in or beside their unaccounted blocks. */
function placesOf(
  before: ReadMail,
  after: ReadMail,
  part: ComparedPart,
  lost: Unaccounted,
  added: Unaccounted,
  values: readonly DifferingValue[],
): readonly Hunk[] {
  const all = hunksOf(before.parts[part].keys, after.parts[part].keys);
  const ofValues = values.flatMap(({ key, at }): Hunk[] => {
    const [left, right] = [before, after].map((mail) =>
      mail.parts[part].blocks.find((one) => withoutAmounts(one.key) === key),
    );
    if (left === undefined || right === undefined) return [];
    const [a, b] = [left.from + at, right.from + at];
    return [{ before: [a, a + 1], after: [b, b + 1] }];
  });
  const isIn = (mail: ReadMail, unaccounted: Unaccounted, [from, to]: Hunk['before']) =>
    mail.parts[part].blocks.some(
      (block, index) => unaccounted.get(mail)?.has(index) && block.from <= to && from <= block.to,
    );
  const found = all.filter((one) => isIn(before, lost, one.before) || isIn(after, added, one.after));
  const shown = [...found, ...ofValues].sort((a, b) => a.before[0] - b.before[0]);
  return shown.length > 0 ? shown : all;
}

/** The blocks that nothing accounts for, on both sides, and those of which it is not sure. */
function unaccountedOf(left: Side, right: Side, part: ComparedPart, values: readonly DifferingValue[]) {
  const none = (): [Unaccounted, Unaccounted] => [new Map(), new Map()];
  const [sure, doubtful] = [none(), none()];
  const sides = [
    [left, right, 0],
    [right, left, 1],
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

  const known = sides.map(([own, other]) => {
    const found = new Map<string, Sureness>();
    let unknown = 0;
    for (const block of own.blocks.values()) {
      if (own.count(block) < own.mails.length) for (const peer of own.peers(block)) join(block, peer);
      if (other.blocks.has(block.key)) continue;
      const [twin, is] = unknown < MOST_UNKNOWN ? twinOf(own, block, other, own === right) : [undefined, NO];
      if (twin !== undefined) join(block, twin);
      if (is === NO) unknown += 1;
      if (is !== SURE) found.set(block.key, is);
    }
    return found;
  });
  const changed = new Set(values.map(({ key }) => key));
  // A text that one side alone lacks is another choice of the same template.
  const areBoth = known.every(({ size }) => size > 0);
  for (const [own, , side] of sides)
    for (const mail of own.mails)
      for (const [index, { key }] of mail.parts[part].blocks.entries()) {
        const is = known[side]?.get(key) ?? SURE;
        if (is === NO || (changed.size > 0 && changed.has(withoutAmounts(key)))) add(sure[side], mail, index);
        if (is === PART || (is === CHOICE && areBoth)) add(doubtful[side], mail, index);
      }
  if (part !== 'html' && part !== 'text') return { sure, doubtful };
  const listOf = (mail: ReadMail) => [
    '',
    ...mail.parts[part].blocks.map(({ key }) => passageOf(key)),
    '\u0001',
  ];
  const lists = new Map([...left.mails, ...right.mails].map((mail) => [mail, listOf(mail)]));
  const all = [...lists.values()];
  for (const [own, other, side] of sides) {
    const others = other.mails.map((mail) => lists.get(mail) ?? []);
    const [isInOrder, isSurelyInOrder] = [orderOf(others, all), orderOf(others, others)];
    /** Passages that all emails of the other side have. */
    const always = late(() => others[0]?.filter((one) => others.every((list) => list.includes(one))) ?? []);
    const hasAll = (mail: ReadMail) => always().every((passage) => lists.get(mail)?.includes(passage));
    for (const mail of own.mails)
      for (const [index, passage] of lists.get(mail)?.slice(1).entries() ?? []) {
        const last = lists.get(mail)?.[index] ?? '';
        if (isInOrder(last, passage) && (isSurelyInOrder(last, passage) || hasAll(mail))) continue;
        const unaccounted = isInOrder(last, passage) ? doubtful[side] : sure[side];
        add(unaccounted, mail, Math.max(0, index - 1));
        add(unaccounted, mail, index);
      }
  }
  return { sure, doubtful };
}

/** The block of the other side that is most like a block and may be the same passage, and how sure that is. */
function twinOf(
  own: Side,
  block: Block,
  other: Side,
  isLater: boolean,
): [twin: Block | undefined, is: Sureness] {
  for (const { one } of other.like(block)) {
    const is = surenessOf(own, block, other, one, isLater);
    if (is !== NO) return [one, is];
  }
  return [undefined, NO];
}

/**
 * How surely two blocks differ in gaps alone: not; in a part of a gap, or in words that the other side lacks; in a gap between
 * fixed texts; in gaps of values.
 */
const [NO, PART, CHOICE, SURE] = [0, 1, 2, 3] as const;
type Sureness = 0 | 1 | 2 | 3;
const most = (a: Sureness, b: Sureness) => (a > b ? a : b);

function surenessOf(own: Side, block: Block, other: Side, twin: Block, isLater: boolean): Sureness {
  const [mine, theirs] = [own.gaps(block), other.gaps(twin)];
  let sure: Sureness = SURE;
  const doubt = (is: Sureness) => {
    if (is < sure) sure = is;
  };
  for (const { before, after } of hunksOf(block.keys, twin.keys).flatMap((one) =>
    withoutNumbers(one, block, twin),
  )) {
    const [words, others] = [block.keys.slice(...before), twin.keys.slice(...after)];
    const [a, b] = [[...mine.slice(...before)], [...theirs.slice(...after)]];
    if (isLater && words.some((word) => isOdd(word) && !other.words.has(word))) return NO;
    if (words.length === 0) {
      if (isOptional(theirs, after)) {
        if (!own.has(others, twin)) doubt(PART);
      } else if (!(has(mine[before[0]], GAP.BEFORE) && own.has(fixed(others, b), twin))) return NO;
      continue;
    }
    if (others.length === 0) {
      if (isOptional(mine, before)) {
        if (!other.has(words, block)) doubt(PART);
      } else if (!(has(theirs[after[0]], GAP.BEFORE) && other.has(fixed(words, a), block))) return NO;
      continue;
    }
    const both = [...words, ...others];
    if (words.every(isNumber) !== others.every(isNumber) || tagsOf(words) !== tagsOf(others)) return NO;
    if (both.every((word) => AMOUNT.test(word))) continue;
    if (!both.every(isVague)) doubt(most(wholeness(mine, block, before), wholeness(theirs, twin, after)));
    if ([...a, ...b].every((gap) => has(gap, GAP.VARIES | GAP.ALONE))) continue;
    const [some, rest] = [fixed(words, a).length, fixed(others, b).length];
    if (!((some === 0 && (rest === 0 || isFixed(others, b))) || (rest === 0 && isFixed(words, a)))) return NO;
  }
  return sure;
}

/** The words of a place that do not vary. */
const fixed = (words: readonly string[], gaps: readonly number[]) =>
  words.filter((_, index) => !has(gaps[index], GAP.VARIES));
const isFixed = (words: readonly string[], gaps: readonly number[]) =>
  words.every((word, index) => isVague(word) || !has(gaps[index], GAP.VARIES));

/** A place, with a number at the same end of both of its texts as a place of its own. */
function withoutNumbers({ before: [a, b], after: [c, d] }: Hunk, block: Block, twin: Block): Hunk[] {
  const areNumbers = (one: number, other: number) =>
    a < b && c < d && isNumber(block.keys[one] ?? '') && isNumber(twin.keys[other] ?? '');
  const [x, y] = areNumbers(a, c) ? [a + 1, c + 1] : areNumbers(b - 1, d - 1) ? [b - 1, d - 1] : [b, d];
  const both: Hunk[] = [
    { before: [a, x], after: [c, y] },
    { before: [x, b], after: [y, d] },
  ];
  return both.filter(({ before, after }) => before[0] < before[1] || after[0] < after[1]);
}

/** Whether words are the whole of a gap, and of one between values. */
function wholeness(gaps: Uint8Array, { keys }: Block, range: Hunk['before']): Sureness {
  const [from, to] = trimmed(keys, range);
  const [first = 0, last = 0] = [gaps[from], gaps[to - 1]];
  if (has(first, GAP.BEGINS) && has(last, GAP.ENDS)) return SURE;
  return has(first, GAP.BEGINS | GAP.BEGINS_CHOICE) && has(last, GAP.ENDS | GAP.ENDS_CHOICE) ? CHOICE : PART;
}

const isNumber = (word: string) => /^\d/.test(word);
/** A host; or what a program writes in the place of a value that it does not have. */
const isOdd = (word: string) => /^(?:https?:\/\/|\/\/|<?(?:undefined|NaN|Object)$)/.test(word);

/** Whether words may be absent: an email of their side has none of them, or other words of the same value are left. */
function isOptional(gaps: Uint8Array, [from, to]: Hunk['before']): boolean {
  const own = [...gaps.slice(from, to)];
  const beside = (gaps[from - 1] ?? 0) | (gaps[to] ?? 0);
  return (
    (own.every((gap) => has(gap, GAP.OPTIONAL)) && !has(beside, GAP.OPTIONAL)) ||
    (own.every((gap) => has(gap, GAP.VARIES)) && has(beside, GAP.VARIES))
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
