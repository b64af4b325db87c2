/**
 * The emails of one kind on one side, as an index of their blocks. Where blocks that are alike differ on one side, there is a
 * gap: a place that is shown to vary.
 */
import { hunksOf, type Hunk } from './align.ts';
import type { ComparedPart, ReadMail } from './parts.ts';

/** The most blocks of a word, and the most neighbours of a block, that are looked at. */
const MOST = 8;
/** The most blocks that a block is compared with. */
const MOST_ALIKE = 8;
/** Rows and items of lists; lines of a text with a number, or after a sign. */
const ROW = /^<(?:tr|li)(?: |$)|^[^<]*#|^[*•–-] /i;
const NUMBER = /^\d[\d.,]*$/;

/** A word varies, may be absent, follows optional words, is the only difference, or begins or ends a gap of values or choices. */
export const GAP = {
  VARIES: 1,
  OPTIONAL: 2,
  BEFORE: 4,
  ALONE: 8,
  BEGINS: 16,
  ENDS: 32,
  BEGINS_CHOICE: 64,
  ENDS_CHOICE: 128,
} as const;
export const has = (gap: number | undefined, sign: number): boolean => ((gap ?? 0) & sign) > 0;

/** A block, wherever it stands on a side. */
export interface Block {
  readonly key: string;
  readonly keys: readonly string[];
  /** Its key without numbers. */
  readonly shape: string;
  /** Its words without tags, numbers and ids; all of them, if it has no others. */
  readonly words: ReadonlySet<string>;
  /** Its tags; of a line of a text, its signs and numbers. */
  readonly tags: string;
  /** The blocks before and after it in some emails. */
  readonly before: Set<string>;
  readonly after: Set<string>;
  /** The lists in which it may stand, such as the rows of a table. */
  readonly lists: Set<string>;
}

/** A row or an item of a list; a line of a text beside others of its kind. */
const isInList = ({ tags, lists }: Block) => lists.size > 0 || /^<(?:tr|li)(?: |$)/i.test(tags);
const isTag = (word: string) => word.startsWith('<');
export const tagsOf = (words: readonly string[]): string => words.filter(isTag).join(' ');
const withoutNumbers = (text: string) => text.replace(/\d[\d.,]*/g, '#');
/** Whether it is a number or masked, so that it does not tell one passage from another. */
export const isVague = (word: string): boolean => NUMBER.test(word) || word.includes('\u0001');

/** The two sides of a part. */
export function sidesOf(earlier: readonly ReadMail[], later: readonly ReadMail[], part: ComparedPart) {
  const firm = new Set<string>();
  const sides = [new Side(earlier, part, firm), new Side(later, part, firm)] as const;
  // Several times on a side; with numbers, also in a third of the emails of both.
  const isFirm = (one: Block) =>
    sides.some((side) => side.count(one) > 2) ||
    (one.shape.includes('#') && sides.every((side) => side.count(one) * 3 >= side.mails.length));
  for (const { blocks } of sides) for (const one of blocks.values()) if (isFirm(one)) firm.add(one.shape);
  return sides;
}

export class Side {
  readonly mails: readonly ReadMail[];
  readonly part: ComparedPart;
  readonly blocks = new Map<string, Block>();
  readonly words = new Set<string>();
  readonly #firm: ReadonlySet<string>;
  /** The number of emails that have a block, but for its numbers. */
  readonly #counts = new Map<string, number>();
  readonly #index = new Map<string, Block[]>();
  readonly #alike = new Map<Block, ReturnType<Side['like']>>();
  readonly #gaps = new Map<Block, Uint8Array>();

  /** @param firm - the shapes of fixed texts, which take both sides to find: complete before `gaps` is called. */
  constructor(mails: readonly ReadMail[], part: ComparedPart, firm: ReadonlySet<string>) {
    this.mails = mails;
    this.part = part;
    this.#firm = firm;
    const lists = new Set<string>();
    for (const mail of mails) {
      const { blocks } = mail.parts[part];
      const last = new Map<string, Block>();
      for (const [index, { key, keys }] of blocks.entries()) {
        const block = this.blocks.get(key) ?? blockOf(key, keys);
        this.blocks.set(key, block);
        const left = blocks[index - 1]?.key ?? '';
        if (block.before.size < MOST) block.before.add(left);
        if (block.after.size < MOST) block.after.add(blocks[index + 1]?.key ?? '');
        const list = listOf(block, left);
        const beside = ROW.test(block.tags) ? this.blocks.get(left) : last.get(list);
        if (beside !== undefined && beside !== block && beside.tags === block.tags) lists.add(list);
        last.set(list, block);
      }
      for (const key of new Set(blocks.map((one) => withoutNumbers(one.key))))
        this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
    for (const block of this.blocks.values()) {
      for (const word of block.keys) this.words.add(word);
      for (const key of block.before) if (lists.has(listOf(block, key))) block.lists.add(listOf(block, key));
      for (const feature of featuresOf(block)) {
        const all = this.#index.get(feature) ?? [];
        if (all.length < MOST) all.push(block);
        this.#index.set(feature, all);
      }
    }
  }

  /** The number of emails that have a block, but for its numbers. */
  count({ shape }: Block): number {
    return this.#counts.get(shape) ?? 0;
  }

  /** The blocks that are most like another one, the best first. */
  like(block: Block): readonly { readonly one: Block; readonly likeness: number }[] {
    const known = this.#alike.get(block);
    if (known !== undefined) return known;
    const hits = new Set<Block>();
    for (const feature of featuresOf(block)) for (const one of this.#index.get(feature) ?? []) hits.add(one);
    const all = [...hits]
      .filter(({ key }) => key !== block.key)
      .map((one) => ({ one, likeness: likeness(block, one) }))
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, MOST_ALIKE);
    this.#alike.set(block, all);
    return all;
  }

  /** Whether one of the blocks that are like another one has some words. */
  has(words: readonly string[], block: Block): boolean {
    const hasAll = ({ keys }: Block) => words.every((word) => isVague(word) || keys.includes(word));
    return words.length === 0 || this.like(block).some(({ one }) => hasAll(one));
  }

  /** Blocks of this side that are the same passage with other values: as much alike as the best, or of the same list. */
  peers(block: Block): readonly Block[] {
    const all = this.like(block);
    const best = this.count(block) > 1 ? 0.85 : (all[0]?.likeness ?? 0);
    const isValue = (one: Block) => this.count(one) < Math.max(2, this.mails.length);
    const isBeside = (one: Block) =>
      isValue(block) && isValue(one) && [...block.lists].some((list) => one.lists.has(list));
    return all
      .filter(({ one, likeness: is }) => (is >= 0.5 && is >= best - 0.2) || isBeside(one))
      .map(({ one }) => one);
  }

  /** The values that vary from email to email, each as its words, by the key of their block. */
  values(): ReadonlyMap<string, readonly (readonly string[])[]> {
    const lists = this.mails.map(({ parts }) => new Set(parts[this.part].blocks.map(({ key }) => key)));
    const own = [...this.blocks.values()].filter(({ key }) => !lists.every((list) => list.has(key)));
    return new Map(own.map((block) => [block.key, this.#valuesIn(block)]));
  }

  #valuesIn(block: Block): readonly (readonly string[])[] {
    const gaps = this.gaps(block);
    const values: string[][] = [];
    for (const [at, word] of block.keys.entries()) {
      if (!has(gaps[at], GAP.VARIES)) continue;
      if (has(gaps[at - 1], GAP.VARIES)) values.at(-1)?.push(word);
      else values.push([word]);
    }
    return values;
  }

  /** The gaps of a block: by word, the signs of how it varies. */
  gaps(block: Block): Uint8Array {
    const known = this.#gaps.get(block);
    if (known !== undefined) return known;
    const gaps = new Uint8Array(block.keys.length + 1);
    const mark = ([from, to]: Hunk['before'], sign: number) => {
      for (let at = from; at < to; at += 1) gaps[at] = (gaps[at] ?? 0) | sign;
    };
    const peers = new Set(this.peers(block));
    for (const { one, likeness: is } of this.like(block)) {
      const hunks = hunksOf(block.keys, one.keys);
      const text = (keys: readonly string[], range: Hunk['before']) =>
        withoutNumbers(keys.slice(...range).join(' '));
      const [word, second] = hunks.filter(
        ({ before, after }) => text(block.keys, before) !== text(one.keys, after),
      );
      if (word !== undefined && second === undefined && is >= 0.5) mark(word.before, GAP.ALONE);
      for (const { before, after } of peers.has(one) ? hunks : []) {
        if (before[0] === before[1]) mark([before[0], before[0] + 1], GAP.BEFORE);
        mark(before, after[0] === after[1] ? GAP.OPTIONAL : GAP.VARIES);
        const isChoice = this.#firm.has(one.shape) && !isInList(one);
        const [from, to] = trimmed(block.keys, before);
        mark([from, from + 1], isChoice ? GAP.BEGINS_CHOICE : GAP.BEGINS);
        mark([to - 1, to], isChoice ? GAP.ENDS_CHOICE : GAP.ENDS);
      }
    }
    this.#gaps.set(block, gaps);
    return gaps;
  }
}

/** A range of words without the numbers and ids at its ends. */
export function trimmed(keys: readonly string[], [from, to]: Hunk['before']): Hunk['before'] {
  const own = keys.slice(from, to);
  const first = own.findIndex((word) => !isVague(word));
  return first < 0 ? [from, to] : [from + first, from + own.findLastIndex((word) => !isVague(word)) + 1];
}

/** The list in which a block may stand: beside others with the same tags, or each after the same block. */
const listOf = ({ tags }: Block, before: string) =>
  `\u0001list ${ROW.test(tags) ? tags : `${tags} ${before}`}`;

function blockOf(key: string, keys: readonly string[]): Block {
  const words = new Set(keys.filter((word) => !isTag(word) && !isVague(word)));
  const signs = keys
    .map((word) => (NUMBER.test(word) ? '#' : isVague(word) || /\p{L}|&/u.test(word) ? 'w' : word))
    .filter((word, index, all) => word !== 'w' || all[index - 1] !== 'w');
  return {
    key,
    keys,
    shape: withoutNumbers(key),
    words: words.size === 0 ? new Set(keys) : words,
    tags: tagsOf(keys) || signs.join(' '),
    before: new Set(),
    after: new Set(),
    lists: new Set(),
  };
}

function* featuresOf(block: Block): Generator<string> {
  yield* block.words;
  yield* block.lists;
  yield `\u0001tags ${block.tags}`;
  for (const key of block.before) yield `\u0001before ${key}`;
  for (const key of block.after) yield `\u0001after ${key}`;
}

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const one of a) if (b.has(one)) count += 1;
  return count;
}

/** From 0 to 1: the words that they share; and a little for the same tags, and for the same blocks before and after. */
function likeness(a: Block, b: Block): number {
  const shared = common(a.words, b.words);
  const ofBoth = (2 * shared) / (a.words.size + b.words.size) + shared / Math.min(a.words.size, b.words.size);
  const around = [a.tags === b.tags, common(a.before, b.before), common(a.after, b.after)];
  return ofBoth * 0.3125 + around.filter(Boolean).length * 0.125;
}
