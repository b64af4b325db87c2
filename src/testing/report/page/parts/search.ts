/** Filters mails, requests and posts by words and by recipient. */
import type { ReportData, ReportMail, ReportPost, ReportRequest } from '../../data/data.ts';

/** The search reads this many characters of each text. */
const SEARCHED = 100_000;

const haystacks = new WeakMap<object, string>();

function contains(item: object, words: readonly string[], parts: () => readonly (string | null)[]): boolean {
  if (words.length === 0) return true;
  let text = haystacks.get(item);
  if (text === undefined) {
    text = parts()
      .map((part) => part?.slice(0, SEARCHED) ?? '')
      .join('\n')
      .toLowerCase();
    haystacks.set(item, text);
  }
  return words.every((word) => text.includes(word));
}

export interface Query {
  readonly text: string;
  /** Part of a recipient's address; empty for all. */
  readonly recipient: string;
}

export interface SearchResult {
  readonly mails: readonly ReportMail[];
  readonly requests: readonly ReportRequest[];
  readonly posts: readonly ReportPost[];
}

/** An item matches if it contains every word. A recipient selects the mails to it, and their requests and posts. */
export function search(data: ReportData, { text, recipient }: Query): SearchResult {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const address = recipient.trim().toLowerCase();
  if (words.length === 0 && address === '') return data;
  const kindNames = new Map(data.kinds.map(({ id, name }) => [id, name]));
  const toRecipient = data.mails.filter(({ to }) => to.toLowerCase().includes(address));
  const mails = toRecipient.filter((mail) =>
    contains(mail, words, () => [
      mail.subject,
      mail.to,
      mail.toName,
      mail.from,
      mail.fromName,
      mail.replyTo?.email ?? null,
      mail.replyTo?.name ?? null,
      mail.preview,
      kindNames.get(mail.kind) ?? null,
      mail.category,
      mail.text,
      mail.html,
      ...mail.links.map(({ url }) => url),
      ...mail.attachments.map(({ filename }) => filename),
      ...mail.headers.map(([name, value]) => `${name}: ${value}`),
    ]),
  );
  const ids = new Set(toRecipient.map(({ id }) => id));
  const requests = data.requests.filter(
    (request) =>
      (address === '' || request.mails.some((id) => ids.has(id))) &&
      contains(request, words, () => [
        `${request.method} ${request.path}${request.query}`,
        request.operation,
        String(request.status),
        request.callId,
        request.pool,
        ...request.reasons.map(({ field, message }) => `${field ?? ''} ${message}`),
        request.details?.body ?? null,
        request.details?.responseBody ?? null,
      ]),
  );
  const posts = data.posts.filter(
    (post) =>
      post.body.toLowerCase().includes(address) &&
      contains(post, words, () => [post.type, post.url, String(post.status), post.body]),
  );
  return { mails, requests, posts };
}

/** The data with the found items alone. The totals count these. */
export function only(data: ReportData, { mails, requests, posts }: SearchResult): ReportData {
  const counts = new Map<string, number>();
  for (const { kind } of mails) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const ids = new Set(mails.map(({ id }) => id));
  return {
    ...data,
    sent: mails.length,
    requested: requests.length,
    refused: requests.filter(({ refused }) => refused).length,
    omitted: { mails: 0, requests: 0 },
    kinds: data.kinds.flatMap((kind) => {
      const count = counts.get(kind.id);
      return count === undefined ? [] : [{ ...kind, count }];
    }),
    mails,
    requests,
    posts,
    findings: data.findings
      .map((finding) => ({ ...finding, ids: finding.ids.filter((id) => ids.has(id)) }))
      .filter((finding) => finding.ids.length > 0),
  };
}

/** The most recipients that the filter suggests. */
const OFFERED = 500;

/** The recipients' addresses, in order. */
export const recipientsOf = ({ mails }: ReportData): readonly string[] =>
  [...new Set(mails.map(({ to }) => to))].sort().slice(0, OFFERED);
