/** Finds the addresses of persons in a text, also where tags or invisible characters stand in them. */
import { Hiding, type Finder, type Found } from './hide.ts';
import { readingsOf } from './readings.ts';

/** The characters between a local part and its domain: an address within another one has `=`, for instance. */
const SIGNS = '[@=_#%+~]';

/** Characters without a width. */
const WIDTHLESS =
  '[\\0\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff]';
/** A character without a width, or a tag: a reader sees neither. */
const INVISIBLE = `(?:${WIDTHLESS}|<[/!a-z][^<>]{0,1000}>)`;
const INVISIBLE_AT = new RegExp(INVISIBLE, 'y');
const INVISIBLE_END = new RegExp(`${INVISIBLE}$`);
const LONGEST_TAG = 1003;

/** The local parts of a domain, each with its mask. */
interface Locals {
  readonly masks: Map<string, string>;
  lengths: readonly number[];
}

/** The addresses of persons. */
class Persons implements Finder {
  readonly #byDomain = new Map<string, Locals>();
  readonly #domainLengths: readonly number[];
  readonly #letters = { local: new Set<number>(), domain: new Set<number>() };
  /** A sign with what may be the start of a domain behind it, so that most signs are passed over quickly. */
  readonly #sign: RegExp;
  readonly #mostLocal: number;
  readonly shortest: number;

  constructor(persons: Iterable<string>) {
    const taken = new Map<string, number>();
    let [mostLocal, shortest] = [0, Infinity];
    for (const address of persons) {
      const domain = address.slice(address.lastIndexOf('@') + 1);
      const first = /^[a-z\d]/i.exec(address)?.[0] ?? '';
      const count = (taken.get(`${first}@${domain}`) ?? 0) + 1;
      taken.set(`${first}@${domain}`, count);
      // Two persons stay two.
      const mask = `${first}***${count === 1 ? '' : count}`;
      for (const form of formsOf(address)) {
        const at = form.lastIndexOf('@');
        if (at < 1 || at === form.length - 1) continue;
        this.#add(form.slice(0, at), form.slice(at + 1), mask);
        mostLocal = Math.max(mostLocal, at);
        shortest = Math.min(shortest, form.length);
      }
    }
    this.#mostLocal = mostLocal;
    this.shortest = shortest;
    this.#domainLengths = lengthsOf(this.#byDomain.keys());
    const firsts = new Set(Array.from(this.#byDomain.keys(), (domain) => escaped(domain.charAt(0))));
    this.#sign = new RegExp(`${SIGNS}(?=[<\\0\\x80-\\uffff${[...firsts].join('')}])`, 'g');
    for (const locals of this.#byDomain.values()) locals.lengths = lengthsOf(locals.masks.keys());
  }

  #add(local: string, domain: string, mask: string): void {
    const locals = this.#byDomain.get(domain) ?? { masks: new Map<string, string>(), lengths: [] };
    this.#byDomain.set(domain, locals);
    if (!locals.masks.has(local)) locals.masks.set(local, mask);
    for (let at = 0; at < local.length; at += 1) this.#letters.local.add(local.charCodeAt(at));
    for (let at = 0; at < domain.length; at += 1) this.#letters.domain.add(domain.charCodeAt(at));
  }

  /** The local parts: the domain says little, and stays as it is written. */
  find(text: string): readonly Found[] {
    // The one letter that is longer in lower case.
    const lower = text.replaceAll('\u0130', 'i').toLowerCase();
    const found: Found[] = [];
    for (const { 0: sign, index } of lower.matchAll(this.#sign)) {
      const part = this.#personAt(lower, index, this.#hostAt(lower, index + 1), sign === '@');
      if (part !== undefined) found.push(part);
    }
    return found;
  }

  /** The text from a position on that may be a domain of a person. */
  #hostAt(text: string, from: number): string {
    const most = this.#domainLengths[0] ?? 0;
    let host = '';
    for (let at = from; at < text.length && host.length < most;) {
      if (this.#letters.domain.has(text.charCodeAt(at))) {
        host += text.charAt(at);
        at += 1;
        continue;
      }
      const skipped = invisibleAt(text, at);
      if (skipped === 0) break;
      at += skipped;
    }
    return host;
  }

  #personAt(text: string, sign: number, host: string, isAt: boolean): Found | undefined {
    let before: { readonly local: string; readonly places: readonly number[] } | undefined;
    for (const length of this.#domainLengths) {
      if (length > host.length) continue;
      const domain = host.slice(0, length);
      // Without an `@`, a word as short as `b` in `a=b` is not a domain.
      const locals = isAt || domain.length >= 4 ? this.#byDomain.get(domain) : undefined;
      if (locals === undefined) continue;
      before ??= this.#localBefore(text, sign);
      const { local, places } = before;
      for (const size of locals.lengths) {
        if (size > local.length) continue;
        const mask = locals.masks.get(local.slice(local.length - size));
        if (mask !== undefined) return { from: places[size - 1] ?? sign, to: sign, shown: mask };
      }
    }
    return undefined;
  }

  /** The text before a position that may be a local part, and the places of its characters, the last one first. */
  #localBefore(text: string, end: number): { local: string; places: number[] } {
    const places: number[] = [];
    let local = '';
    for (let at = end - 1; at >= 0 && places.length < this.#mostLocal;) {
      if (this.#letters.local.has(text.charCodeAt(at))) {
        local = text.charAt(at) + local;
        places.push(at);
        at -= 1;
        continue;
      }
      const skipped = invisibleBefore(text, at + 1);
      if (skipped === 0) break;
      at -= skipped;
    }
    return { local, places };
  }
}

/** A character in a class of a pattern. */
const escaped = (character: string) => character.replace(/[\\\]^-]/, '\\$&');

/** Whether a character may be the first or the last of something invisible. */
const mayBeInvisible = (code: number) => code === 0 || code === 0x3c || code === 0x3e || code >= 0x80;

function invisibleAt(text: string, at: number): number {
  if (!mayBeInvisible(text.charCodeAt(at))) return 0;
  INVISIBLE_AT.lastIndex = at;
  return INVISIBLE_AT.exec(text)?.[0].length ?? 0;
}

function invisibleBefore(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  if (!mayBeInvisible(last)) return 0;
  let from = end - 1;
  if (last === 0x3e) {
    const near = text.slice(Math.max(0, end - LONGEST_TAG), end);
    const open = near.lastIndexOf('<');
    if (open < 0) return 0;
    from = end - near.length + open;
  }
  return INVISIBLE_END.exec(text.slice(from, end))?.[0].length ?? 0;
}

/** The different lengths of texts, the greatest first. */
const lengthsOf = (texts: Iterable<string>): number[] =>
  [...new Set(Array.from(texts, ({ length }) => length))].sort((a, b) => b - a);

/** An address in lower case and without what a reader does not see, in each form in which it may stand in a text. */
function formsOf(address: string): ReadonlySet<string> {
  const lower = address.toLowerCase().replace(new RegExp(WIDTHLESS, 'g'), '');
  // A local part may look like an escape: `ann%dept`.
  const forms = new Set(readingsOf(lower).map(({ text }) => text.toLowerCase()));
  if (/^[\0-\x7f]*$/.test(lower)) return forms;
  for (const form of ['NFC', 'NFD', 'NFKC']) forms.add(lower.normalize(form));
  const ascii = asciiHost(lower.slice(lower.lastIndexOf('@') + 1));
  if (ascii !== undefined)
    for (const form of [...forms]) forms.add(form.slice(0, form.lastIndexOf('@') + 1) + ascii);
  return forms;
}

/** A domain in ASCII, as mail servers know it. */
const asciiHost = (domain: string): string | undefined =>
  URL.canParse(`https://${domain}`) ? new URL(`https://${domain}`).hostname : undefined;

/** Masks the addresses of persons. */
export class Mask extends Hiding {
  constructor(persons: Iterable<string>) {
    super(new Persons(persons));
  }
}
