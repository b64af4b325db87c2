/** Picks the link or the code of an email that a test asks for. The error lists the existing ones. */
import { beforeOf } from '../content/codes.ts';
import type { MailContent } from '../content/content.ts';
import type { MailLink } from '../text/mail-link.ts';
import { comparable } from '../text/text-flow.ts';

/** The choice of a link: its text, a pattern for its URL, or a function. */
export type LinkChoice = string | RegExp | ((link: MailLink) => boolean);

/** The most links or codes that an error lists. */
const NAMED = 10;
/** The longest quotation of a URL or a text, in characters. */
const QUOTED = 200;

const cut = (text: string) => (text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
const quoted = (text: string) => JSON.stringify(cut(text));

/** The first items of a list in words, and the number of further ones. */
function listed<T>(all: readonly T[], inWords: (one: T) => string, separator: string): string {
  const more = all.length > NAMED ? `${separator}… and ${all.length - NAMED} more` : '';
  return all.slice(0, NAMED).map(inWords).join(separator) + more;
}

/** A copy of a pattern that finds every match, without the state of the flags g and y. */
const everywhere = ({ source, flags }: RegExp) => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`);

const isFound = (pattern: RegExp, text: string) => text.search(everywhere(pattern)) >= 0;

function fitting({ links, names }: MailContent, choice: LinkChoice): MailLink[] {
  if (typeof choice === 'function') return links.filter((link) => choice(link));
  if (typeof choice !== 'string') return links.filter(({ url }) => isFound(choice, url));
  const wanted = comparable(choice);
  return links.filter((_, index) => names[index]?.some((name) => comparable(name) === wanted));
}

const inWords = (choice: LinkChoice) => {
  if (typeof choice === 'function') return 'for which the function returns true';
  return typeof choice === 'string'
    ? `with the text ${quoted(choice)}`
    : `whose URL matches ${String(choice)}`;
};

/** The URL of the chosen link. Errors call the email `name`. */
export function urlOf(content: MailContent, choice: LinkChoice, name: string): string {
  const found = fitting(content, choice);
  const urls = [...new Set(found.map(({ url }) => url))];
  if (urls.length === 1 && urls[0] !== undefined) return urls[0];
  const line = ({ url, text }: MailLink) => `\n  ${quoted(text)} ${cut(url)}`;
  if (urls.length > 1) {
    throw new Error(
      `${name} has ${urls.length} URLs of links ${inWords(choice)}; name one by a pattern or a function:${listed(found, line, '')}`,
    );
  }
  const { links, unusable } = content;
  const there = links.length === 0 ? 'It has no link' : `It has these:${listed(links, line, '')}`;
  const nowhere =
    unusable.length === 0
      ? ''
      : `\nThese lead nowhere, as an email has no address of its own:${listed(unusable, ({ href, text }) => `\n  ${quoted(text)} ${quoted(href)}`, '')}`;
  throw new Error(`${name} has no link ${inWords(choice)}. ${there}${nowhere}`);
}

const afterWords = ({ value, before }: { value: string; before: string }) =>
  before === '' ? quoted(value) : `${quoted(value)} after ${quoted(before)}`;

/** The one code of the highest rank in an email. */
export function codeOf(content: MailContent, name: string): string {
  const { codes, others } = content.codes;
  const [first] = codes;
  const best = codes.filter(({ rank }) => rank === first?.rank);
  if (best.length === 1 && first !== undefined) return first.value;
  if (best.length > 1) {
    throw new Error(
      `${name} has ${best.length} codes: ${listed(best, afterWords, ', ')}. Name one by a pattern, such as code(/code is (\\d+)/)`,
    );
  }
  const why = others.map(({ value, reason }) => `${quoted(value)} is ${reason}`).join('; ');
  throw new Error(
    `${name} has no code of 4 to 8 digits that stand alone${why === '' ? '' : `: ${why}`}. A code of another form is found by a pattern, such as code(/code is ([A-Z\\d]+)/)`,
  );
}

/** The one text that a pattern finds in an email: its first group, or the whole match. */
export function matchOf({ text }: MailContent, pattern: RegExp, name: string): string {
  const line = text.replaceAll('\t', ' ');
  const found = new Map<string, { value: string; before: string }>();
  for (const match of line.matchAll(everywhere(pattern))) {
    const value = match[1] ?? match[0];
    if (value !== '' && !found.has(value)) found.set(value, { value, before: beforeOf(line, match.index) });
    if (found.size > NAMED) break;
  }
  const [one] = found.values();
  if (one === undefined)
    throw new Error(`${name} has no text that matches ${String(pattern)}: ${quoted(line)}`);
  if (found.size === 1) return one.value;
  throw new Error(
    `${name} has several texts that match ${String(pattern)}: ${listed([...found.values()], afterWords, ', ')}`,
  );
}
