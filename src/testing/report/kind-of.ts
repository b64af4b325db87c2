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

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const GREETING =
  /\b(hi|hello|hey|dear|welcome|hallo|liebe[rs]?|willkommen|bonjour|bienvenue|hola|ciao),? (\p{Lu}[\p{L}'-]*)(?=$|[\s,.!?])/giu;
const NOT_NAMES = /^(to|back|aboard|at|in|and|the|a|your|our|on|from|zu|bei|zur|zum|à|a|chez)$/i;

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
  const parts = known.length === 0 ? '' : known.map(escaped).join('|');
  const withoutKnown =
    parts === ''
      ? subject
      : subject.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts})(?![\\p{L}\\p{N}])`, 'giu'), VARIES);
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
