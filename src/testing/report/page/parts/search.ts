/** Filters mails, requests and posts by words and by recipient. */
import type { ReportData, ReportMail, ReportPost, ReportRequest } from '../../data/data.ts';
import type { Found } from '../../data/live-data.ts';
import { hasWords, partsOfMail, partsOfRequest, searchedText, wordsOf } from '../../data/words.ts';

const [haystacks, heads] = [new WeakMap<object, string>(), new WeakMap<object, string>()];
type Parts = () => readonly (string | null)[];

function contains(item: object, words: readonly string[], parts: Parts, texts = haystacks): boolean {
  if (words.length === 0) return true;
  let text = texts.get(item);
  if (text === undefined) texts.set(item, (text = searchedText(parts())));
  return hasWords(text, words);
}

export interface Query {
  readonly words: readonly string[];
  /** Part of a recipient's address; empty for all. */
  readonly recipient: string;
}

/** Reads a search: `to:ann` is a recipient, all else are words. */
export function queryOf(text: string): Query {
  const words = wordsOf(text);
  const recipient = words.findLast((word) => word.startsWith('to:'))?.slice(3) ?? '';
  return { words: words.filter((word) => !word.startsWith('to:')), recipient };
}

export interface SearchResult {
  readonly mails: readonly ReportMail[];
  readonly requests: readonly ReportRequest[];
  readonly posts: readonly ReportPost[];
}

/**
 * An item matches if it contains every word, or if the emulator, which has all contents, has found it. A recipient selects
 * the mails to it, and their requests and posts. A mail with the words in its subject or recipient is before the others.
 */
export function search(data: ReportData, { words, recipient: address }: Query, found?: Found): SearchResult {
  if (words.length === 0 && address === '') return data;
  const kindNames = new Map(data.kinds.map(({ id, name }) => [id, name]));
  const toRecipient = data.mails.filter(({ to }) => to.toLowerCase().includes(address));
  const [foundMails, foundRequests] = [new Set(found?.mails), new Set(found?.requests)];
  const matching = toRecipient.filter(
    (mail) =>
      foundMails.has(mail.id) || contains(mail, words, () => partsOfMail(mail, kindNames.get(mail.kind))),
  );
  const isNear = (mail: ReportMail) =>
    contains(mail, words, () => [mail.subject, mail.to, mail.toName], heads);
  const [near, others]: [ReportMail[], ReportMail[]] = [[], []];
  for (const mail of matching) (isNear(mail) ? near : others).push(mail);
  const ids = new Set(address === '' ? [] : toRecipient.map(({ id }) => id));
  const requests = data.requests.filter(
    (request) =>
      (address === '' ||
        request.mails.some((id) => ids.has(id)) ||
        request.email?.to.some((to) => to.toLowerCase().includes(address)) === true) &&
      (foundRequests.has(request.id) || contains(request, words, () => partsOfRequest(request))),
  );
  const posts = data.posts.filter(
    (post) =>
      post.body.toLowerCase().includes(address) &&
      contains(post, words, () => [post.type, post.url, String(post.status), post.body]),
  );
  return { mails: [...near, ...others], requests, posts };
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
