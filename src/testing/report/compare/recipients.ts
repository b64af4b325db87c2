/** The recipients of emails, without their addresses: fields that all emails of a kind have in one run, and none in the other. */
import { grouped } from '../../../kit/grouped.ts';
import type { ReportData, ReportMail, ReportPartChange } from '../data/data.ts';

/** Whether a copy of an email for one recipient has a field. */
const FIELDS: readonly (readonly [name: string, has: (copy: ReportMail, isTwice: boolean) => boolean])[] = [
  ['cc', ({ recipients }) => recipients.cc.length > 0],
  ['bcc', ({ field }) => field === 'bcc'],
  ['more than one to', ({ recipients }) => recipients.to.length > 1],
  ['names', ({ recipients }) => recipients.to.some(({ name }) => name !== null)],
  ['the same email twice', (_, isTwice) => isTwice],
];

/** The fields of emails. */
type Fields = readonly (readonly string[])[];

/** The fields of each email, by its kind. If one was sent twice, all of its kind have that. */
export function fieldsByKind({ mails, findings }: ReportData): ReadonlyMap<string, Fields> {
  const ids = new Set(findings.flatMap((one) => (one.check === 'duplicates' ? one.ids : [])));
  const twice = new Set(mails.flatMap(({ id, kind }) => (ids.has(id) ? [kind] : [])));
  const emailOf = ({ request, clockAt, subject, recipients }: ReportMail) => [
    JSON.stringify([request ?? clockAt, subject, recipients]),
  ];
  const fieldsOf = (copies: readonly ReportMail[]) =>
    FIELDS.filter(([, has]) => copies.some((one) => has(one, twice.has(one.kind)))).map(([name]) => name);
  const kinds = [...grouped(mails, ({ kind }) => [kind])];
  return new Map(kinds.map(([kind, all]) => [kind, [...grouped(all, emailOf).values()].map(fieldsOf)]));
}

/** The fields that came or went. */
export function recipientsChange(earlier: readonly Fields[], later: Fields): ReportPartChange[] {
  const all = (run: Fields, name: string) => run.every((fields) => fields.includes(name));
  const none = (run: Fields, name: string) => !run.some((fields) => fields.includes(name));
  const names = FIELDS.map(([name]) => name);
  const lost = names.filter((name) => earlier.every((run) => all(run, name)) && none(later, name)).join(', ');
  const added = names
    .filter((name) => earlier.every((run) => none(run, name)) && all(later, name))
    .join(', ');
  const marks = { before: [[0, lost.length] as const], after: [[0, added.length] as const] };
  const change = {
    part: 'recipients' as const,
    before: lost || null,
    after: added || null,
    marks,
    places: 1,
  };
  return lost + added === '' ? [] : [change];
}
