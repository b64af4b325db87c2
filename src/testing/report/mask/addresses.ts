/** Finds the addresses of persons in the readings of a text. */
import { toBase64 } from '../../encoding/base64.ts';
import type { Finder, Found } from './hide.ts';
import { readingsOf } from './readings.ts';

/** An `@`, as it may be written once the escapes are resolved, or the sign of an address within another one. */
const SIGN = /"?@|[-=_%]40|\+AEA-|[([{]at[)\]}]|[=_#%+~]/;

/** A run of letters and digits that is too short to be a token. */
const SHORT_RUN = /(?<![\w+/])[\w+/]{3,15}(?![\w+/])/g;

/** Finds the local parts of addresses. The domain says little, and stays as it is written. */
export function addressFinder(persons: Iterable<string>): Finder {
  /** By the domain, and then by the local part. */
  const masks = new Map<string, Map<string, string>>();
  const taken = new Map<string, number>();
  /** The base64 of addresses, as far as it is shorter than a token. */
  const packed = new Map<string, string>();
  for (const address of persons) {
    const first = /^[a-z\d]/i.exec(address)?.[0] ?? '';
    const group = `${first}${address.slice(address.lastIndexOf('@'))}`;
    const count = (taken.get(group) ?? 0) + 1;
    taken.set(group, count);
    const shown = `${first}***${count === 1 ? '' : count}`;
    if (address.length < 12)
      for (const form of [address, address.toUpperCase()])
        packed.set(toBase64(new TextEncoder().encode(form)).replace(/={1,2}$/, ''), shown);
    for (const form of formsOf(address)) {
      const at = form.lastIndexOf('@');
      if (at < 1 || at === form.length - 1) continue;
      const domain = form.slice(at + 1);
      const locals = masks.get(domain) ?? new Map<string, string>();
      masks.set(domain, locals);
      // Two persons stay two.
      const local = form.slice(0, at).replace(/"$/, '');
      if (!locals.has(local)) locals.set(local, shown);
    }
  }
  const domainLengths = lengthsOf(masks.keys());
  const localLengths = lengthsOf([...masks.values()].flatMap((locals) => [...locals.keys()]));
  // Signs that no domain can follow are passed over quickly.
  const firsts = Array.from(masks.keys(), (domain) => domain.charAt(0).replace(/[\\\]^-]/, '\\$&'));
  const signs = new RegExp(`(?:${SIGN.source})(?=\\s{0,9}[${[...new Set(firsts)].join('')}])`, 'gi');
  const personAt = (text: string, from: number, to: number, isAt: boolean) => {
    for (const length of domainLengths) {
      const domain = text.slice(to, to + length);
      const locals = masks.get(domain);
      // Without an `@`, a word as short as `b` in `a=b` is not a domain.
      if (locals === undefined || domain.length < length || (!isAt && length < 4)) continue;
      for (const size of localLengths) {
        const shown = size > from ? undefined : locals.get(text.slice(from - size, from));
        if (shown !== undefined) return { from: from - size, to: from, shown };
      }
    }
    return undefined;
  };
  return (text) => {
    // The one letter that is longer in lower case.
    const lower = text.replaceAll('\u0130', 'i').toLowerCase();
    const found: Found[] = [];
    if (packed.size > 0)
      for (const { 0: run, index } of text.matchAll(SHORT_RUN)) {
        const shown = packed.get(run);
        if (shown !== undefined) found.push({ from: index, to: index + run.length, shown });
      }
    for (const { 0: sign, index } of lower.matchAll(signs)) {
      let [from, to] = [index, index + sign.length];
      const isAt = sign.length > 1 || sign === '@';
      while (isAt && isSpace(lower, to)) to += 1;
      while (isAt && isSpace(lower, from - 1)) from -= 1;
      const person = personAt(lower, from, to, isAt);
      if (person !== undefined) found.push(person);
    }
    return found;
  };
}

const isSpace = (text: string, at: number) => at >= 0 && at < text.length && text.charAt(at).trim() === '';

/** The different lengths of texts, the greatest first. */
const lengthsOf = (texts: Iterable<string>): number[] =>
  [...new Set(Array.from(texts, ({ length }) => length))].sort((a, b) => b - a);

/** An address as readings have it: also without what looks like an escape in it, and with its domain in ASCII. */
function formsOf(address: string): ReadonlySet<string> {
  const plain = address
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\0\p{DI}]/gu, '');
  const forms = new Set([plain, ...Array.from(readingsOf(plain), ({ text }) => text.toLowerCase())]);
  const domain = plain.slice(plain.lastIndexOf('@') + 1);
  if (/[^\0-\x7f]/.test(domain) && URL.canParse(`https://${domain}`))
    for (const form of [...forms])
      forms.add(form.slice(0, form.lastIndexOf('@') + 1) + new URL(`https://${domain}`).hostname);
  return forms;
}
