/** Hides addresses and tokens in the data of a report. May import `report/data`, `encoding` and `reading`. */
import { fromBase64, toBase64 } from '../../encoding/base64.ts';
import { decodedWords } from '../../reading/message/raw-mail.ts';
import type { ReportData, ReportMail } from '../data/data.ts';
import { addressFinder } from './addresses.ts';
import { Hiding, inAll } from './hide.ts';
import { leftOut } from './left-out.ts';
import { Persons } from './persons.ts';
import { pictureIn, tokenRemover, withoutTokensIn } from './tokens.ts';

/** Whether a domain is reserved, so that its addresses are of no person (RFC 2606, RFC 6761). */
export const isReserved = (domain: string): boolean =>
  /(?:^|\.)(?:example|test|invalid|localhost|example\.(?:com|net|org))$/i.test(domain);

/**
 * The same data with its emails masked, and its requests and posts. With `isShown`, those stay whole that name addresses of
 * shown domains only, besides senders.
 *
 * @param bcc - The hidden recipients of an email, by its id.
 */
export function masked(
  data: ReportData,
  isShown?: (domain: string) => boolean,
  bcc?: ReadonlyMap<string, readonly string[]>,
): ReportData {
  const all = new Set<string>();
  const hidden = new Set<string>();
  const isOpen = ({ reached, senders }: Persons): boolean => {
    for (const one of [...reached, ...senders]) all.add(one);
    return isShown !== undefined && [...reached].every((one) => isShown(one.slice(one.lastIndexOf('@') + 1)));
  };
  for (const mail of data.mails) if (!isOpen(Persons.ofMail(mail, bcc?.get(mail.id)))) hidden.add(mail.id);
  const areOpen = (ids: readonly string[] = []) => isShown !== undefined && !ids.some((id) => hidden.has(id));
  const closed = new Set<object>([
    ...data.requests.filter((one) => !isOpen(Persons.ofRequest(one)) || !areOpen(one.mails)),
    ...data.posts.filter((one) => !isOpen(Persons.ofPost(one)) || !areOpen(one.mails)),
  ]);
  if (isShown !== undefined && hidden.size + closed.size === 0) return data;

  const finder = addressFinder(all);
  const mask = new Hiding(finder, tokenRemover());
  const link = new Hiding(finder, withoutTokensIn).text;
  const { text } = mask;
  const body = (given: string) => mask.body(given);
  // The mails of a kind have one id of the kind, whether they are masked or not.
  const open = new Set(data.mails.map(({ kind }) => kind));
  for (const { id, kind } of data.mails) if (hidden.has(id)) open.delete(kind);
  const kindOf = (id: string) => (open.has(id) ? id : text(id));
  const title = data.run && Object.hasOwn(data.run, 'title') ? data.run.title : undefined;
  return {
    ...data,
    run: { ...data.run, ...(title !== undefined && { title: text(title) }) },
    notes: (data.notes ?? []).map(text),
    kinds: data.kinds.map((kind) => (open.has(kind.id) ? kind : inAll(kind, text))),
    mails: data.mails.map((mail) =>
      hidden.has(mail.id) ? maskedMail(mail, text) : { ...mail, kind: kindOf(mail.kind) },
    ),
    requests: data.requests.map((request) => {
      if (!closed.has(request)) return request;
      const { callId, path, query, ...others } = request;
      return { ...inAll(others, body), callId, path: link(path), query: link(query) };
    }),
    posts: data.posts.map((post) => (closed.has(post) ? inAll(post, body) : post)),
    findings: data.findings.map((finding) => (areOpen(finding.ids) ? finding : inAll(finding, text))),
    addresses: 'masked',
  };
}

/** A mail whose bodies, headers and source are plain text. */
function maskedMail(
  { source, attachments, headers, html, ...mail }: ReportMail,
  mask: (text: string) => string,
): ReportMail {
  const ids = new Map(attachments.map(({ contentId }, index) => [idOf(contentId), `file-${index + 1}`]));
  const named = html?.replace(/cid:([^"'\s)>]+)/g, (whole, id: string) =>
    ids.has(id) ? `cid:${ids.get(id)}` : whole,
  );
  const shown = {
    ...inAll(mail, mask),
    html: named === undefined ? null : mask(named),
    headers: headers.map(([name, value]) => [mask(name), mask(decodedWords(value))] as const),
    attachments: attachments.map(({ content, contentId, sha256: hash = null, ...file }) => ({
      ...inAll(file, mask),
      contentId: contentId && (ids.get(idOf(contentId)) ?? null),
      ...contentOf(file.type, content, hash, mask),
    })),
  };
  return { ...shown, source: source === null ? null : sourceOf(shown) };
}

const idOf = (id: string | null) => id?.replace(/^<|>$/g, '') ?? '';

/** The types of texts, whose hash may tell an address. */
const TEXT = /^text\/|[/+](?:json|xml)\b/i;

/** A picture without its metadata, a masked text, or nothing of another file; with its hash unless a mask changes the text. */
function contentOf(type: string, given: string | null, hash: string | null, mask: (text: string) => string) {
  const picture = given === null ? undefined : pictureIn(given);
  if (picture !== undefined) return { content: picture, sha256: hash };
  const text = given === null ? undefined : textIn(given);
  if (text === undefined) return { content: null, sha256: TEXT.test(type) ? null : hash };
  const shown = mask(text);
  const content = /^text\//i.test(type) ? toBase64(new TextEncoder().encode(shown)) : null;
  return { content, sha256: shown === text ? hash : null };
}

/** The text of a file in UTF-8. */
function textIn(content: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(content));
    return /[^\P{Cc}\t-\r]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A message with its parts as they are read, and its files by name, kind and length. */
function sourceOf({ headers, text, html, attachments }: Omit<ReportMail, 'source'>): string {
  const part = (type: string, body: string) => ['--part', `Content-Type: ${type}`, '', body, ''];
  const kept = headers.filter(([name]) => !/^(?:content-|mime-version$)/i.test(name));
  return [
    ...kept.map(([name, value]) => `${name}: ${value}`),
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="part"',
    '',
    ...(text === null ? [] : part('text/plain; charset=utf-8', text)),
    ...(html === null ? [] : part('text/html; charset=utf-8', html)),
    ...attachments.flatMap(({ filename, type, bytes }) =>
      part(`${type}; name="${filename}"`, leftOut(type, bytes, 'bytes')),
    ),
    '--part--',
    '',
  ].join('\r\n');
}
