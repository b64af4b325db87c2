/**
 * The words that vary among the mails of one kind in one run. They are found by comparing each mail with those that are
 * most like it: a name in one is another name in the other, and a row of an order is there twice.
 */
import { hunksOf, type Hunk } from './align.ts';
import { likeness, type ComparedPart, type ReadMail } from './parts.ts';

/** The most mails of a kind that are compared; those without any difference count once. */
const MOST_MAILS = 48;
/** The most others from which a mail learns. */
const MOST_PEERS = 6;
/** Mails that are less alike than this are different emails, such as two of the same category. */
const ALIKE = 0.5;
/** A longer replaced passage is another passage, and no value. */
const LONGEST_VALUE = 60;

export const isTag = (word: string): boolean => word.startsWith('<');

/** The tags among words, in a fixed order. */
export const tagsOf = (words: readonly string[]): string => words.filter(isTag).sort().join('\u0002');

/** The words that vary in a part of a mail. */
interface Varying {
  /** The words that are values. */
  readonly values: ReadonlySet<number>;
  /** Whether there was a mail to learn from. */
  readonly isKnown: boolean;
}

/** The words that vary in a part of all mails of a side. */
interface Learned {
  /** The words that are a value somewhere. */
  readonly values: ReadonlySet<string>;
  /** The words of passages that some mails have and others do not, or have more often, such as a row of an order. */
  readonly passages: readonly (readonly string[])[];
}

/** The mails of one kind on one side. */
export class Side {
  /** Each with a difference from the others. */
  readonly mails: readonly ReadMail[];
  readonly #ids: ReadonlySet<string>;
  readonly #varying = new Map<ReadMail, Map<ComparedPart, Varying>>();
  readonly #learned = new Map<ComparedPart, { values: Set<string>; passages: (readonly string[])[] }>();
  readonly #likeness = new Map<ReadMail, readonly { readonly one: ReadMail; readonly likeness: number }[]>();

  constructor(all: readonly ReadMail[]) {
    const byId = new Map<string, ReadMail>();
    for (const one of all) if (!byId.has(one.id)) byId.set(one.id, one);
    this.#ids = new Set(byId.keys());
    this.mails = [...byId]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, one]) => one)
      .slice(0, MOST_MAILS);
  }

  /** Whether it has a mail without any difference from this one. */
  has(mail: ReadMail): boolean {
    return this.#ids.has(mail.id);
  }

  hasWord(word: string, part: ComparedPart): boolean {
    return this.mails.some(({ parts }) => parts[part].keys.includes(word));
  }

  /** Its own mail that has no difference from one of a part of it. */
  same(mail: ReadMail): ReadMail {
    return this.mails.find(({ id }) => id === mail.id) ?? mail;
  }

  /** The mail that is most like another one. */
  nearest(mail: ReadMail): ReadMail | undefined {
    return this.#byLikeness(mail)[0]?.one;
  }

  varying(mail: ReadMail, part: ComparedPart): Varying {
    const known = this.#varying.get(mail) ?? new Map<ComparedPart, Varying>();
    this.#varying.set(mail, known);
    const found = known.get(part) ?? this.#learn(mail, part);
    known.set(part, found);
    return found;
  }

  /** The knowledge about a part, from all its mails. */
  learned(part: ComparedPart): Learned {
    for (const mail of this.mails) this.varying(mail, part);
    return this.#learned.get(part) ?? { values: new Set(), passages: [] };
  }

  #byLikeness(mail: ReadMail) {
    const known = this.#likeness.get(mail);
    if (known !== undefined) return known;
    const all = this.mails
      .filter((one) => one !== mail)
      .map((one) => ({ one, likeness: likeness(mail, one) }))
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, MOST_PEERS);
    this.#likeness.set(mail, all);
    return all;
  }

  #learn(mail: ReadMail, part: ComparedPart): Varying {
    const peers = this.#byLikeness(mail).filter((peer) => peer.likeness >= ALIKE);
    const { keys } = mail.parts[part];
    const values = new Set<number>();
    const added: Hunk[] = [];
    for (const { one } of peers)
      for (const hunk of hunksOf(keys, one.parts[part].keys)) {
        const [from, to] = hunk.before;
        const length = hunk.after[1] - hunk.after[0];
        const isPassage = tagsOf(keys.slice(from, to)) !== tagsOf(one.parts[part].keys.slice(...hunk.after));
        if (length === 0 || isPassage) added.push(hunk);
        else if (Math.max(to - from, length) <= LONGEST_VALUE)
          for (let index = from; index < to; index += 1) if (!isTag(keys[index] ?? '')) values.add(index);
      }
    const learned = this.#learned.get(part) ?? { values: new Set(), passages: [] };
    this.#learned.set(part, learned);
    for (const index of values) learned.values.add(keys[index] ?? '');
    for (const { before } of added) learned.passages.push(keys.slice(...before));
    return { values, isKnown: peers.length > 0 };
  }
}
