import type { ReportKind } from '../../report/data.ts';
import type { Copy } from '../areas/sending/outbox.ts';

/** A kind of mail. */
export type Kind = Pick<ReportKind, 'id' | 'name' | 'by'>;

/** What stands for a part of a subject that varies. */
const VARIES = '…';

/** The kind of a mail: by its template, else by its category, else by its subject without what varies. */
export function kindOf({ mail, recipient }: Pick<Copy, 'mail' | 'recipient'>): Kind {
  const { template, category, subject, customVariables, templateVariables } = mail;
  if (template !== null) return kind('template', template.name);
  if (category !== null && category !== '') return kind('category', category);
  const values = [...Object.values(customVariables ?? {}), ...Object.values(templateVariables ?? {})];
  return kindOfSubject(subject, recipient, values);
}

/** The kind of a mail by its subject. `values` are known to vary. */
export const kindOfSubject = (
  subject: string,
  recipient: { readonly email: string; readonly name: string | null },
  values: readonly unknown[] = [],
): Kind => kind('subject', withoutVarying(subject, recipient, values));

const kind = (by: Kind['by'], name: string): Kind => ({ id: `${by}:${name}`, name, by });

const GREETING =
  /\b(hi|hello|hey|dear|welcome|hallo|liebe[rs]?|willkommen|bonjour|bienvenue|hola|ciao),? (\p{Lu}[\p{L}'-]*)(?=$|[\s,.!?])/giu;
const NOT_NAMES = /^(to|back|aboard|at|in|and|the|a|your|our|on|from|zu|bei|zur|zum|à|a|chez)$/i;

const isWord = /[\p{L}\p{N}]/u;
/** The character before a place, and the one at it: of those outside the basic plane, a half is not enough. */
const before = (text: string, at: number) => text.slice(Math.max(0, at - 2), at);
const from = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at) ?? 0x20);

/**
 * A text without some words, in upper or lower case. The longest of those that begin at a place counts. A pattern of them
 * would have to be compiled for each mail, which takes a thousand times as long.
 */
function withoutWords(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  // A few letters are longer in lower case: they are no names of anybody.
  if (lower.length !== text.length) return text;
  const present = words.map((word) => word.toLowerCase()).filter((word) => lower.includes(word));
  if (present.length === 0) return text;
  let result = '';
  let at = 0;
  while (at < text.length) {
    const found = isEndOfWord(before(text, at))
      ? undefined
      : present.find((word) => lower.startsWith(word, at) && !isWord.test(from(text, at + word.length)));
    result += found === undefined ? text.charAt(at) : VARIES;
    at += found?.length ?? 1;
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
  const known = [...named, ...values.filter((value) => typeof value === 'string')]
    .map((value) => value.trim())
    .filter((value) => value.length > 1)
    .sort((a, b) => b.length - a.length);
  const withoutKnown = withoutWords(subject, known);
  const text = withoutKnown
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
