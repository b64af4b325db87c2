/** Hides the addresses of persons in texts, however an address is written: as it is, encoded, or within base64. */

/** An `@`, as it is or encoded: percent, JSON, HTML, quoted-printable. */
const AT = /@|%(?:25)*40|\\+u0040|&#0*64;?|&#x0*40;?|&commat;|=40/gi;

/** One character, as it is or encoded. Quoted-printable is read apart: it looks like the query of an address. */
const CHARACTER =
  /%(?:25)*([\da-f]{2})|\\+u([\da-f]{4})|&#x0*([\da-f]{1,6});?|&#0*(\d{1,7});?|&(commat|period|plus|lowbar|hyphen|dash);|([^])/gi;
const CHARACTER_OR_QUOTED = /=([\dA-F]{2})|(=\r?\n)|%(?:25)*([\da-f]{2})|\\+u([\da-f]{4})|([^])/gi;

const ENTITIES: Readonly<Record<string, string>> = {
  commat: '@',
  period: '.',
  plus: '+',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
};

/** The longest parts of an address, and how much longer an encoded one may be. */
const [MOST_LOCAL, MOST_DOMAIN, LONGER] = [64, 253, 6];

/** Base64, with either alphabet: of a token in a link, or of a whole body. Lines of a body belong together. */
const BASE64 = /[\w+/-]{12,}(?:\r?\n(?!--)[\w+/-]{4,})*={0,2}/g;

/** A header's value as encoded words (RFC 2047), which may break an address in two. */
const WORDS = /=\?utf-8\?b\?([\w+/=]*)\?=(?:\r?\n[ \t]=\?utf-8\?b\?[\w+/=]*\?=)*/gi;

/** The start of a rule of a style sheet, which is no address. */
const AT_RULE = /^@[a-z-]+[\s{("';]/i;

/** A character as it was meant, and where it stands. */
interface Placed {
  readonly character: string;
  readonly from: number;
  readonly to: number;
}

/** Masks the addresses of persons. */
export class Mask {
  readonly #masks = new Map<string, string>();
  /** The local parts by domain. */
  readonly #locals = new Map<string, Set<string>>();

  constructor(persons: Iterable<string>) {
    const taken = new Map<string, number>();
    for (const address of persons) {
      const at = address.lastIndexOf('@');
      const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
      const start = `${Array.from(local)[0] ?? ''}***`;
      const count = (taken.get(`${start}@${domain}`) ?? 0) + 1;
      taken.set(`${start}@${domain}`, count);
      // Two persons stay two.
      const mask = count === 1 ? start : `${start}${count}`;
      this.#add(local, domain, mask);
      // Percent-encoding and base64 are of bytes.
      if (/[^\x00-\x7f]/.test(address))
        this.#add(binary(local).toLowerCase(), binary(domain).toLowerCase(), binary(mask));
    }
  }

  #add(local: string, domain: string, mask: string): void {
    this.#masks.set(`${local}@${domain}`, mask);
    this.#locals.set(domain, (this.#locals.get(domain) ?? new Set()).add(local));
  }

  /** A text with its addresses masked, also those within base64. */
  text(text: string): string {
    const plain = this.#addresses(text.replace(WORDS, (words) => this.#words(words)));
    return plain.replace(BASE64, (packed) => this.#base64(packed) ?? packed);
  }

  #words(words: string): string {
    const bytes = [...words.matchAll(/\?b\?([\w+/=]*)\?=/gi)].map(([, packed = '']) => atob(packed)).join('');
    const masked = this.#addresses(bytes);
    if (masked === bytes) return words;
    const given = new TextDecoder().decode(Uint8Array.from(masked, (byte) => byte.charCodeAt(0)));
    return (given.match(/[^]{1,10}/gu) ?? [])
      .map((part) => `=?UTF-8?B?${btoa(binary(part))}?=`)
      .join('\r\n ');
  }

  #addresses(text: string): string {
    if (text.search(AT) < 0) return text;
    const once = this.#within(text, CHARACTER);
    return once.includes('=40') || /=\r?\n/.test(once) ? this.#within(once, CHARACTER_OR_QUOTED) : once;
  }

  /** Only the local part is replaced: the domain says little, and stays as it is written. */
  #within(text: string, characters: RegExp): string {
    let masked = '';
    let done = 0;
    for (const { index } of text.matchAll(AT)) {
      if (index < done || AT_RULE.test(text.slice(index, index + 40))) continue;
      const from = Math.max(done, index - MOST_LOCAL * LONGER);
      const placed = placedIn(text, from, index + MOST_DOMAIN * LONGER, characters);
      const at = placed.findIndex((one) => one.from <= index && index < one.to && one.character === '@');
      if (at < 0) continue;
      const local = this.#localBefore(placed, at);
      if (local === undefined) continue;
      masked += text.slice(done, local.from) + local.mask;
      done = placed[at]?.from ?? index;
    }
    return masked + text.slice(done);
  }

  /** The local part before an `@`, of the longest address of a person that ends there. */
  #localBefore(placed: readonly Placed[], at: number): { from: number; mask: string } | undefined {
    const lower = (from: number, to: number) =>
      placed
        .slice(from, to)
        .map(({ character }) => character)
        .join('')
        .toLowerCase();
    const after = lower(at + 1, at + 1 + MOST_DOMAIN);
    const before = lower(Math.max(0, at - MOST_LOCAL), at);
    const count = Math.min(at, MOST_LOCAL);
    const [host = ''] = /^[\p{L}\p{N}.-]+/u.exec(after) ?? [];
    for (let length = host.length; length > 0; length -= 1) {
      const domain = host.slice(0, length);
      const locals = this.#locals.get(domain);
      if (locals === undefined) continue;
      for (let size = count; size > 0; size -= 1) {
        const local = before.slice(before.length - size);
        if (!locals.has(local)) continue;
        const first = placed[at - size];
        return first && { from: first.from, mask: this.#masks.get(`${local}@${domain}`) ?? '***' };
      }
    }
    return undefined;
  }

  /** Base64 with what it says masked; `undefined` if no address is in it. */
  #base64(packed: string): string | undefined {
    const isUrl = /[_-]/.test(packed);
    const [lineEnd] = /\r?\n/.exec(packed) ?? [];
    const whole = packed
      .replace(/[\r\n=]+/g, '')
      .replace(/-/g, '+')
      .replace(/_/g, '/');
    // A token may stand behind other letters.
    for (let skip = 0; skip < 4; skip += 1) {
      const rest = whole.slice(skip);
      const given = rest.slice(0, rest.length - (rest.length % 4 === 1 ? 1 : 0));
      let text: string;
      try {
        text = atob(given);
      } catch {
        continue;
      }
      if (!text.includes('@') && !text.includes('%40')) continue;
      const masked = this.#addresses(text);
      if (masked === text) continue;
      let encoded = whole.slice(0, skip) + btoa(masked);
      if (isUrl) encoded = encoded.replace(/\+/g, '-').replace(/\//g, '_');
      if (!packed.endsWith('=')) encoded = encoded.replace(/=+$/, '');
      return lineEnd === undefined ? encoded : (encoded.match(/.{1,76}/g)?.join(lineEnd) ?? '');
    }
    return undefined;
  }
}

/** The characters of a part of a text. */
function placedIn(text: string, from: number, to: number, characters: RegExp): Placed[] {
  const part = text.slice(from, to);
  return Array.from(part.matchAll(characters), (match) => ({
    character: characterOf(match, characters),
    from: from + match.index,
    to: from + match.index + match[0].length,
  })).filter(({ character }) => character !== '');
}

/** The bytes of a text in UTF-8, a character for each. */
function binary(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

function characterOf(match: RegExpMatchArray, characters: RegExp): string {
  const hex = (code: string) => String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff));
  if (characters === CHARACTER_OR_QUOTED) {
    const [, quoted, softBreak, percent, json, plain] = match;
    if (softBreak !== undefined) return '';
    return plain ?? hex(quoted ?? percent ?? json ?? '0');
  }
  const [, percent, json, html, decimal, entity, plain] = match;
  if (plain !== undefined) return plain;
  if (entity !== undefined) return ENTITIES[entity.toLowerCase()] ?? '';
  if (decimal !== undefined) return String.fromCodePoint(Math.min(Number(decimal), 0x10ffff));
  return hex(percent ?? json ?? html ?? '0');
}
