import type { ReportKind } from '../data/data.ts';
import type { Copy } from '../../service/state/emails/outbox.ts';

/** A kind of email. */
export type Kind = Pick<ReportKind, 'id' | 'name' | 'by'>;

/** The most characters of a subject that are read: some patterns take quadratic time. */
const LONGEST = 1_000;
/** Replaces the varying parts of a subject, such as names and numbers. */
const VARIES = '…';

/** The kind of a mail: by its campaign, by its template, in any language, else by its category, else by its subject without its varying parts. */
export function kindOf(copy: Pick<Copy, 'mail' | 'recipient' | 'mailing'>): Kind {
  if (copy.mailing !== undefined) return kind('campaign', copy.mailing.facts.campaign);
  const { mail, recipient } = copy;
  const { template, templateOf, category, subject, customVariables, templateVariables } = mail;
  if (template !== null) return kind('template', templateOf ?? template.name);
  if (category !== null && category !== '') return kind('category', category);
  const values = [...Object.values(customVariables ?? {}), ...Object.values(templateVariables ?? {})];
  return kindOfSubject(subject, recipient, values);
}

/** The kind of a mail by its subject. `values` are variables of the mail, which vary. */
export const kindOfSubject = (
  subject: string,
  recipient: { readonly email: string; readonly name: string | null },
  values: readonly unknown[] = [],
): Kind => kind('subject', withoutVarying(subject.slice(0, LONGEST), recipient, values));

const kind = (by: Kind['by'], name: string): Kind => ({ id: `${by}:${name}`, name, by });

const GREETING =
  /\b(hi|hello|hey|dear|welcome|hallo|liebe[rs]?|willkommen|bonjour|bienvenue|hola|ciao),? (\p{Lu}[\p{L}'-]*)(?=$|[\s,.!?])/giu;
const NOT_NAMES = /^(to|back|aboard|at|in|and|the|a|your|our|on|from|zu|bei|zur|zum|à|a|chez)$/i;

const isWord = /[\p{L}\p{N}]/u;
/** The character before a position, and the character at it. Both read whole surrogate pairs. */
const before = (text: string, at: number) => text.slice(Math.max(0, at - 2), at);
const from = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 0x20);

/**
 * Replaces words in a text, in upper or lower case. The longest word at a position wins. Compiling a regular expression for
 * each mail would take a thousand times as long.
 */
function withoutWords(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  // A few letters are longer in lower case, so that positions differ. Names do not contain them.
  if (lower.length !== text.length) return text;
  const present = words.map((word) => word.toLowerCase()).filter((word) => lower.includes(word));
  if (present.length === 0) return text;
  let result = '';
  let at = 0;
  while (at < text.length) {
    const word = isEndOfWord(before(text, at))
      ? undefined
      : present.find((one) => lower.startsWith(one, at) && !isWord.test(from(text, at + one.length)));
    result += word === undefined ? text.charAt(at) : VARIES;
    at += word?.length ?? 1;
  }
  return result;
}

const isEndOfWord = (text: string) => /[\p{L}\p{N}]$/u.test(text);

/** A subject without addresses, names, codes and numbers. */
function withoutVarying(
  subject: string,
  { email, name }: { readonly email: string; readonly name: string | null },
  values: readonly unknown[],
): string {
  const local = email.slice(0, email.lastIndexOf('@')).split('+')[0] ?? '';
  const named = [name ?? '', ...(name ?? '').split(/\s+/), local, ...local.split(/[._-]/)];
  const varying = [...named, ...values.filter((value) => typeof value === 'string')]
    .map((value) => value.trim())
    .filter((value) => value.length > 1)
    .sort((a, b) => b.length - a.length);
  const text = withoutWords(subject, varying)
    .replace(/[^\s<>@]+@[^\s<>@]+/g, VARIES)
    .replace(GREETING, (whole: string, greeting: string, word: string) =>
      NOT_NAMES.test(word) || !/^\p{Lu}/u.test(word) ? whole : `${greeting} ${VARIES}`,
    )
    .replace(/, \p{Lu}[\p{Ll}'-]+(?=[!?.]?$)/u, `, ${VARIES}`)
    // A word with a digit is a number, a date or a code.
    .replace(/[\p{L}\p{N}_#$€£.:/-]*\p{N}[\p{L}\p{N}_%€.:/-]*/gu, VARIES)
    .replace(/(?:…[\s,.:/-]*)+…/g, VARIES)
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? '(no subject)' : text;
}
