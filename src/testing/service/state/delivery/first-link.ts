import type { Mail } from '../emails/mail.ts';
import { PLACEHOLDERS } from '../emails/reader-links.ts';

/** A link of HTML: not the address of an image, a font or a document type. */
const ANCHOR = /<(?:a|area)\s[^>]{0,2000}/gi;
const HREF = /\shref\s{0,9}=\s{0,9}["']?(https?:\/\/[^\s"'<>]+)/i;
/** An address in a text, which mail programs make a link. */
const ADDRESS = /https?:\/\/[^\s"'<>]+/;

/** The first link of an email, which its reader clicks; `undefined` if there is none. */
export function firstLink({ html, text }: Pick<Mail, 'html' | 'text'>): string | undefined {
  // The reader's own links are put in later, and they are links, too.
  const body = html ?? text ?? '';
  const found =
    html === null
      ? ADDRESS.exec(body)?.[0]
      : (html.match(ANCHOR) ?? []).map((tag) => HREF.exec(tag)?.[1]).find((url) => url !== undefined);
  return found ?? Object.values(PLACEHOLDERS).find((placeholder) => body.includes(placeholder));
}
