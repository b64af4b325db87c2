/** Compares the data of reports: what one run mails and the others did not, or in another way. */
import type { ReportData, ReportKind, ReportMail } from '../data/data.ts';
import { differencesOf, type Difference } from './differences.ts';
import { Side } from './learn.ts';
import { pairs } from './pairs.ts';
import { readMail, type ComparedPart, type ReadMail } from './parts.ts';

/** A change of a part of an email. */
export interface ReportChange {
  readonly part: ComparedPart;
  /** The part of an earlier email, as the report has it; of links, headers and attachments, a line for each. */
  readonly before: string | null;
  readonly after: string | null;
}

/** A kind of email in two runs. */
export interface ComparedKind {
  /** As in the later report; of a kind that is gone, as in the earlier one. */
  readonly id: string;
  readonly name: string;
  /** `not_kept` if a report counts its emails and has none of them, because of its limits. */
  readonly state: 'same' | 'changed' | 'new' | 'gone' | 'not_kept';
  /** Empty unless it is `changed`. */
  readonly changes: readonly ReportChange[];
}

/** A differing place in the text of a part: from the first character up to the last one. */
export type Mark = readonly [from: number, to: number];

/** A change with the places that differ. */
export interface MarkedChange extends ReportChange {
  readonly marks: { readonly before: readonly Mark[]; readonly after: readonly Mark[] };
  readonly mails: { readonly before: ReportMail; readonly after: ReportMail };
}

export interface MarkedKind extends Omit<ComparedKind, 'changes'> {
  readonly changes: readonly MarkedChange[];
  /** A mail of it, for a kind that is new or gone. */
  readonly mail: ReportMail | null;
}

/** Compares a run with earlier ones, kind by kind: the changed ones first. */
export function compareData(before: readonly ReportData[], after: ReportData): MarkedKind[] {
  const runs = before.map(mailsByKind);
  const later = mailsByKind(after);
  const known = new Map(before.flatMap(({ kinds }) => kinds.map((kind) => [kind.id, kind] as const)));
  const kinds = pairs([...known.values()], after.kinds, runs, later).map(([left, right]): MarkedKind => {
    const { id, name } = (right ?? left) as ReportKind;
    const mails = right === undefined ? [] : (later.get(right.id) ?? []);
    const earlier = left === undefined ? [] : runs.map((run) => run.get(left.id) ?? []).filter(({ length }) => length > 0);
    const one = (state: MarkedKind['state'], changes: MarkedChange[] = []): MarkedKind => ({
      id,
      name,
      state,
      changes,
      mail: state === 'new' ? (mails[0]?.mail ?? null) : state === 'gone' ? (earlier[0]?.[0]?.mail ?? null) : null,
    });
    if (left === undefined) return one('new');
    if (right === undefined) return one('gone');
    if (mails.length === 0 || earlier.length === 0) return one('not_kept');
    const sides = earlier.map((all) => new Side(all));
    const all = sides.length === 1 && sides[0] !== undefined ? sides[0] : new Side(earlier.flat());
    const changes = differencesOf(sides, all, new Side(mails)).map(changeOf);
    return one(changes.length === 0 ? 'same' : 'changed', changes);
  });
  const order = ['changed', 'new', 'gone', 'not_kept', 'same'];
  return kinds.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

function mailsByKind({ mails }: ReportData): ReadonlyMap<string, readonly ReadMail[]> {
  const byKind = new Map<string, ReadMail[]>();
  for (const mail of mails) {
    const all = byKind.get(mail.kind) ?? [];
    byKind.set(mail.kind, all);
    all.push(readMail(mail));
  }
  return byKind;
}

function changeOf({ before, after, part, hunks }: Difference): MarkedChange {
  const [left, right] = [before.parts[part], after.parts[part]];
  const marks = (side: 'before' | 'after', { tokens }: ReadMail['parts'][ComparedPart]) =>
    hunks.flatMap((hunk): Mark[] => {
      const [from, to] = hunk[side];
      const [first, last] = [tokens[from], tokens[to - 1]];
      return from === to || first === undefined || last === undefined ? [] : [[first.start, last.end]];
    });
  return {
    part,
    before: left.text,
    after: right.text,
    marks: { before: marks('before', left), after: marks('after', right) },
    mails: { before: before.mail, after: after.mail },
  };
}
