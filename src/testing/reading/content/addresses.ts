import type { MailLink } from './mail-link.ts';

/** Characters after an address that do not belong to it. */
const AFTER = new Set(".,;:!?'*_”’»");
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

/** The http and https addresses in a text, which mail programs turn into links. */
export function addressesIn(text: string): MailLink[] {
  const links: MailLink[] = [];
  for (const { 0: word, index } of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    const address = trimmed(word);
    const before = text[index - 1] ?? ' ';
    if (/[\p{L}\p{N}]/u.test(before) || !URL.canParse(address)) continue;
    links.push({ url: new URL(address).href, text: address });
  }
  return links;
}
