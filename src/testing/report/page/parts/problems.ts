/** Bounces, refusals and failed webhook posts. */
import { outcome } from '../../data/outcomes.ts';
import type { ReportData } from '../../data/data.ts';
import { emailOf, failureOf, subjectAndTo, type Index } from './index-of.ts';
import { isFailed, postsOf } from './posts.ts';
import { hashOf } from './route.ts';

export interface Problem {
  readonly href: string;
  readonly title: string;
  /** The kind of the problem: an event, or the status of a response. */
  readonly badge: string;
  readonly about?: string | undefined;
  readonly at: number;
  readonly clockAt: number;
}

/** The sentences of a reason. The first names the cause. */
export const sentencesOf = (message: string) => message.split(/(?<=[.!?])\s+(?=\p{Lu})/u);

export const reasonOf = ({ field, message }: ReportData['requests'][number]['reasons'][number]): string =>
  `${field === null ? '' : `${field}: `}${sentencesOf(message)[0]}`;

/** The response to a request or a post, in a word or two. */
export const statusOf = (status: number | null) => String(status ?? 'no response');

/** The problems, the newest first. The total counts the requests that the report left out, too. */
export function problemsOf(data: ReportData, index: Index): { list: readonly Problem[]; total: number } {
  const refused = data.requests.filter((request) => request.refused);
  const list = [
    ...data.mails.flatMap((mail) => {
      const failure = failureOf(mail);
      if (failure === undefined) return [];
      const { id, subject, to, at, clockAt } = mail;
      const [href, title] = [hashOf('mails', id), subjectAndTo(subject, to, 0)];
      return [{ href, title, badge: outcome(failure.type), about: failure.reason, at, clockAt }];
    }),
    ...refused.map((request) => ({
      href: hashOf('requests', request.id),
      title: emailOf(request, index) ?? `${request.method} ${request.path}`,
      badge: statusOf(request.status),
      about: request.reasons[0] && reasonOf(request.reasons[0]),
      at: request.at,
      clockAt: request.clockAt,
    })),
    ...postsOf(data.posts)
      .filter(isFailed)
      .map(({ id, type, status, url, at, clockAt }) => ({
        href: hashOf('service', id),
        title: `Webhook post: ${type}`,
        badge: statusOf(status),
        about: url,
        at,
        clockAt,
      })),
  ];
  return { list: list.sort((a, b) => b.at - a.at), total: list.length - refused.length + data.refused };
}
