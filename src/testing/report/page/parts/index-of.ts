/** Indexes of the data of a report, built once for each data object. */
import type {
  ReportData,
  ReportFinding,
  ReportKind,
  ReportMail,
  ReportPost,
  ReportRequest,
} from '../../data/data.ts';

import { isBadOutcome, named } from './format.ts';

export interface Index {
  readonly kinds: ReadonlyMap<string, ReportKind>;
  readonly mails: ReadonlyMap<string, ReportMail>;
  readonly requests: ReadonlyMap<string, ReportRequest>;
  readonly posts: ReadonlyMap<string, ReportPost>;
  /** The posts about each mail, the failed ones first. */
  readonly postsOf: ReadonlyMap<string, readonly ReportPost[]>;
  /** The findings of each mail. */
  readonly findings: ReadonlyMap<string, readonly ReportFinding[]>;
}

const byId = <T extends { readonly id: string }>(items: readonly T[]) =>
  new Map(items.map((item) => [item.id, item]));

/** Whether the service counts a post as failed: any response but 200. */
export const isFailed = ({ status }: ReportPost): boolean => status !== 200;

/** The event that kept an email from its recipient. A soft bounce may be followed by a delivery. */
export const failureOf = ({ events }: ReportMail): ReportMail['events'][number] | undefined =>
  events.some(({ type }) => type === 'delivery')
    ? undefined
    : events.findLast(({ type }) => isBadOutcome(type));

export function indexOf(data: ReportData): Index {
  const findings = new Map<string, ReportFinding[]>();
  for (const finding of data.findings)
    for (const id of finding.ids) {
      const known = findings.get(id);
      if (known) known.push(finding);
      else findings.set(id, [finding]);
    }
  const postsOf = new Map<string, ReportPost[]>();
  for (const post of [...data.posts].sort((a, b) => Number(isFailed(b)) - Number(isFailed(a))))
    for (const id of post.mails ?? []) postsOf.set(id, [...(postsOf.get(id) ?? []), post]);
  return {
    postsOf,
    kinds: byId(data.kinds),
    mails: byId(data.mails),
    requests: byId(data.requests),
    posts: byId(data.posts),
    findings,
  };
}

/** The mails of each kind; the kind with the newest mail first. */
export function mailsByKind(
  mails: readonly ReportMail[],
  { kinds }: Index,
): readonly { readonly kind: ReportKind; readonly mails: readonly ReportMail[] }[] {
  const groups = new Map<string, ReportMail[]>();
  for (const mail of mails) {
    const group = groups.get(mail.kind);
    if (group) group.push(mail);
    else groups.set(mail.kind, [mail]);
  }
  return [...groups].map(([id, members]) => ({
    kind: kinds.get(id) ?? { id, name: id, by: 'subject', count: members.length },
    mails: members,
  }));
}

/** The other recipients in the head of a mail, each as an address with its name. */
export function othersOf({ recipients: { to, cc }, to: own }: ReportMail): readonly string[] {
  return [...to, ...cc].filter(({ email }) => email !== own).map(({ email, name }) => named(email, name));
}
