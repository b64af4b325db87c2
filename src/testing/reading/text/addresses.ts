import type { MailLink } from './mail-link.ts';
import { isUnspaced, UNSPACED } from './unspaced.ts';

/** The URL of a link; `undefined` if it is invalid or a script. */
export function resolved(href: string, base: string | undefined): string | undefined {
  let url: URL;
  try {
    url = new URL(href, base);
  } catch {
    return undefined;
  }
  return url.protocol === 'javascript:' ? undefined : url.href;
}

/** The base URL of `<base href>`; `undefined` if it is relative, empty, a placeholder or no address of a page. */
export function baseOf(href: string | undefined): string | undefined {
  const base = href === undefined ? undefined : resolved(href, undefined);
  return base?.startsWith('data:') === true ? undefined : base;
}

/** Characters after an address that do not belong to it. */
const AFTER = new Set(".,;:!?'*_’،؛؟।");
const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const;

/** Removes trailing punctuation from an address, and closing brackets without an opening one. */
function trimmed(address: string): string {
  /** The number of closing brackets without an opening one. */
  const surplus = new Map<string, number>(
    BRACKETS.map(([opening, closing]) => [
      closing,
      address.split(closing).length - address.split(opening).length,
    ]),
  );
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1] ?? '';
    const closed = surplus.get(last) ?? 0;
    if (!AFTER.has(last) && closed <= 0) break;
    surplus.set(last, closed - 1);
  }
  return address.slice(0, end);
}

/** White space, quotation marks, full-width punctuation, and letters of scripts without spaces: an address ends there. */
const ENDS = `\\s<>"\`…—“”„«»‹›\\u3000-\\u303f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65${UNSPACED}`;
/** A host may be in such letters if it begins with one. */
const ADDRESS = new RegExp(
  `https?://(?:[${UNSPACED}][${UNSPACED}\\w-]*(?:\\.[${UNSPACED}\\w-]+)+)?[^${ENDS}]*`,
  'giu',
);

/** The http and https addresses in a text, which mail programs turn into links. */
export function addressesIn(text: string): MailLink[] {
  const links: MailLink[] = [];
  for (const { 0: word, index } of text.matchAll(ADDRESS)) {
    const address = trimmed(word);
    const before = text[index - 1] ?? ' ';
    if ((/[\p{L}\p{N}]/u.test(before) && !isUnspaced(before)) || !URL.canParse(address)) continue;
    links.push({ url: new URL(address).href, text: address });
  }
  return links;
}
