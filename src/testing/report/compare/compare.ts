/** Compares the data of reports: what one run mails and the others did not, or in another way. */
import { grouped } from '../../../kit/grouped.ts';
import type {
  ReportChanges,
  ReportData,
  ReportFinding,
  ReportKindChange,
  ReportMail,
  ReportMark,
  ReportPartChange,
} from '../data/data.ts';
import { differencesOf, type Difference } from './differences.ts';
import type { DifferingValue } from './values.ts';
import { ofKind, pairs, type MailsOf } from './pairs.ts';
import { mailReader, type ComparedPart, type ReadMail } from './parts.ts';
import { fieldsByKind, recipientsChange } from './recipients.ts';
import { textTokens } from './tokens.ts';

/** The most emails of a kind that are compared, spread evenly over a run. */
const MOST = 1_000;

/** The differences of a kind. */
interface Found {
  readonly found?: readonly Difference[];
  readonly others?: readonly ReportPartChange[];
  readonly values?: readonly DifferingValue[];
}

/** Compares a run with earlier ones, kind by kind: the changed ones first. */
export function compareData(before: readonly ReportData[], after: ReportData): ReportChanges {
  const isHashed = [...before, after].every(({ mails }) =>
    mails.every(({ attachments }) => attachments.every(({ sha256 }) => sha256 !== undefined)),
  );
  const read = mailReader(isHashed);
  const runs = before.map((run) => mailsByKind(run, read));
  const later = mailsByKind(after, read);
  const [fields, fieldsLater] = [before.map(fieldsByKind), fieldsByKind(after)];
  const known = new Map(before.flatMap(({ kinds }) => kinds.map((kind) => [kind.id, kind] as const)));
  const kinds = pairs([...known.values()], after.kinds, runs, later).map(
    ([left, right]): ReportKindChange => {
      const { id = '', name = '' } = right ?? left ?? {};
      const mails = right === undefined ? [] : (later.get(right.id) ?? []);
      const earlier = left === undefined ? [] : ofKind(runs, left.id);
      const isRenamed = left !== undefined && left.id !== id && right?.by !== 'subject';
      const one = (
        state: ReportKindChange['state'],
        { found = [], others = [], values = [] }: Found = {},
      ): ReportKindChange => ({
        id,
        name: isRenamed ? (found[0]?.after.mail.subject ?? name) : name,
        state,
        changes: [...found.map(changeOf), ...others],
        values: [
          ...new Map(
            values.map(({ before, after }) => [`${before} ${after}`, [before, after] as const]),
          ).values(),
        ],
        before: isShown(state) ? (found[0]?.before.mail ?? earlier[0]?.[0]?.mail ?? null) : null,
        after: isShown(state) ? (found[0]?.after.mail ?? mails[0]?.mail ?? null) : null,
      });
      if (left === undefined) return one('new');
      if (right === undefined) return one('gone');
      if (mails.length === 0 || earlier.length === 0) return one('not_kept');
      const { found, isSure, values } = differencesOf(earlier, mails);
      const others = recipientsChange(ofKind(fields, left.id), fieldsLater.get(right.id) ?? []);
      if (others.length > 0) return one('changed', { found: isSure ? found : [], others });
      if (found.length === 0) return one('same', { values });
      return one(isSure ? 'changed' : 'not_compared', { found });
    },
  );
  const order = ['changed', 'new', 'gone', 'not_compared', 'not_kept', 'same'];
  return {
    kinds: kinds.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state)),
    findings: findingsOf(before, after),
  };
}

/** Findings of this run alone, and those that every earlier run has. */
function findingsOf(before: readonly ReportData[], after: ReportData): ReportChanges['findings'] {
  const nobody = { words: new Set<string>(), addresses: new Set<string>() };
  const idOf = ({ level, check, kind, message }: ReportFinding) =>
    JSON.stringify([level, check, kind, textTokens(message, nobody).map(({ key }) => key)]);
  const runs = before.map(({ findings }) => new Map(findings.map((one) => [idOf(one), one] as const)));
  const later = new Set(after.findings.map(idOf));
  const [first = new Map<string, ReportFinding>()] = runs;
  return {
    added: after.findings.filter((one) => runs.every((run) => !run.has(idOf(one)))),
    gone: [...first]
      .filter(([id]) => !later.has(id) && runs.every((run) => run.has(id)))
      .map(([, one]) => one),
  };
}

/** Whether emails of the kind are shown. */
const isShown = (state: ReportKindChange['state']) => state !== 'same' && state !== 'not_kept';

function mailsByKind({ mails }: ReportData, read: (mail: ReportMail) => ReadMail): MailsOf {
  const kinds = [...grouped(mails, ({ kind }) => [kind])];
  const spread = (all: readonly ReportMail[]) =>
    all.filter((_, index) => index % Math.ceil(all.length / MOST) === 0);
  return new Map(kinds.map(([kind, ofKind]) => [kind, spread(ofKind).map((mail) => read(mail))]));
}

function changeOf({ before, after, part, hunks }: Difference): ReportPartChange {
  const [left, right] = [before.parts[part], after.parts[part]];
  const marks = (side: 'before' | 'after', { tokens }: ReadMail['parts'][ComparedPart]) =>
    hunks.map((hunk): ReportMark => {
      const [from, to] = hunk[side];
      const start = (from < to ? tokens[from]?.start : tokens[from - 1]?.end) ?? 0;
      return [start, from < to ? (tokens[to - 1]?.end ?? start) : start];
    });
  return {
    part,
    before: left.text,
    after: right.text,
    marks: { before: marks('before', left), after: marks('after', right) },
    places: hunks.length,
  };
}
