/** Indexes of the data of a report, built once for each data object. */
import { grouped } from '../../../../kit/grouped.ts';
import type { ReportData, ReportFinding, ReportKind, ReportMail, ReportRequest } from '../../data/data.ts';

import { isFailed, postsOf, type Post } from './posts.ts';
import { count, isBadOutcome, named } from './format.ts';

export interface Index {
  readonly kinds: ReadonlyMap<string, ReportKind>;
  readonly mails: ReadonlyMap<string, ReportMail>;
  readonly senders: number;
  readonly requests: ReadonlyMap<string, ReportRequest>;
  /** The newest first. */
  readonly allPosts: readonly Post[];
  /** By the id of each attempt. */
  readonly posts: ReadonlyMap<string, Post>;
  /** The posts about each mail, the failed ones first. */
  readonly postsOf: ReadonlyMap<string, readonly Post[]>;
  /** The findings of each mail. */
  readonly findings: ReadonlyMap<string, readonly ReportFinding[]>;
}

const byId = <T extends { readonly id: string }>(items: readonly T[]) =>
  new Map(items.map((item) => [item.id, item]));

/** The event that kept an email from its recipient. A soft bounce may be followed by a delivery. */
export const failureOf = ({ events }: ReportMail): ReportMail['events'][number] | undefined =>
  events.some(({ type }) => type === 'delivery')
    ? undefined
    : events.findLast(({ type }) => isBadOutcome(type));

export function indexOf(data: ReportData): Index {
  const allPosts = postsOf(data.posts);
  const failedFirst = [...allPosts].sort((a, b) => Number(isFailed(b)) - Number(isFailed(a)));
  return {
    allPosts,
    postsOf: grouped(failedFirst, ({ mails = [] }) => mails),
    kinds: byId(data.kinds),
    mails: byId(data.mails),
    senders: new Set(data.mails.map(({ from }) => from)).size,
    requests: byId(data.requests),
    posts: new Map(allPosts.flatMap((post) => post.attempts.map(({ id }) => [id, post] as const))),
    findings: grouped(data.findings, ({ ids }) => ids),
  };
}

/** The mails of each kind; the kind with the newest mail first. */
export function mailsByKind(
  mails: readonly ReportMail[],
  { kinds }: Index,
): readonly { readonly kind: ReportKind; readonly mails: readonly ReportMail[] }[] {
  return [...grouped(mails, ({ kind }) => [kind])].map(([id, members]) => ({
    kind: kinds.get(id) ?? { id, name: id, by: 'subject', count: members.length },
    mails: members,
  }));
}

/** The email that a request sent, or that was refused: its subject, and the first of its recipients. */
export function emailOf({ mails, email }: ReportRequest, index: Index): string | undefined {
  const mail = index.mails.get(mails[0] ?? '');
  if (mail !== undefined) return subjectAndTo(mail.subject, mail.to, mails.length - 1);
  return email && subjectAndTo(email.subject ?? '', email.to[0] ?? 'no recipient', email.to.length - 1);
}

export const subjectAndTo = (subject: string, to: string, more: number) =>
  `${subject === '' ? 'No subject' : subject} → ${to}${more > 0 ? ` +${count(more)}` : ''}`;

/** The other recipients in the head of a mail, each as an address with its name. */
export function othersOf({ recipients: { to, cc }, to: own }: ReportMail): readonly string[] {
  return [...to, ...cc].filter(({ email }) => email !== own).map(({ email, name }) => named(email, name));
}
