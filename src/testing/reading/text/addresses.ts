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

/** Characters at the end of an address that do not belong to it. */
const AFTER = ".,;:!?'*_|^\\";
const PARTNERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Cuts an address before a bracket without a partner, and before the punctuation at its end. */
function trimmed(address: string, isEmphasized: boolean): string {
  const open: number[] = [];
  let end = 0;
  for (; end < address.length; end += 1) {
    const sign = address.charAt(end);
    if ('([{'.includes(sign)) open.push(end);
    else if (!Object.hasOwn(PARTNERS, sign)) continue;
    else if (address.charAt(open.pop() ?? end) !== PARTNERS[sign]) break;
  }
  end = Math.min(end, open[0] ?? end);
  // A token may end with an underscore.
  const after = address.includes('=') && !isEmphasized ? AFTER.replace('_', '') : AFTER;
  while (end > 0 && after.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

/** Letters and digits outside ASCII, without those of scripts without spaces, and the joiners between them. */
const LETTERS = `(?![${UNSPACED}\\x00-\\x7f])[\\p{L}\\p{M}\\p{Nd}]|[\\u200c\\u200d](?=\\p{L})`;
/** The next address may follow a sign without a space. */
const ENDS = "(?:[,;|()[\\]{}]{1,3}https?://|'s(?!\\w))";
/** A host may be in letters of scripts without spaces if it begins with one. A bar is in a query only. */
const ADDRESS = new RegExp(
  `https?://(?:[${UNSPACED}][${UNSPACED}\\w-]*(?:\\.[${UNSPACED}\\w-]+)+)?(?:[\\w.:@%[\\]-]|${LETTERS})*(?:[/#](?:(?!${ENDS})[!#-;=@-_a-z{}~]|${LETTERS})*)?(?:\\?(?:(?!${ENDS})[!#-;=?-_a-z{|}~]|${LETTERS})*)?`,
  'giu',
);

/** The http and https addresses in a text, which mail programs turn into links. */
export function addressesIn(text: string): MailLink[] {
  const links: MailLink[] = [];
  for (const { 0: word, index } of text.matchAll(ADDRESS)) {
    const before = text[index - 1] ?? ' ';
    const address = trimmed(word, before === '_');
    if ((/[\p{L}\p{N}]/u.test(before) && !isUnspaced(before)) || !URL.canParse(address)) continue;
    links.push({ url: new URL(address).href, text: address });
  }
  return links;
}
