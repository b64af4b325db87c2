/** Makes the data of a report from the records. May import records, checks and mask. */
import { monotonicMs } from '../../../kit/monotonic.ts';
import type { ReportData, ReportKind, ReportMail, ReportPost, ReportRequest } from '../data/data.ts';
import { REPORT_VERSION } from '../data/data.ts';
import { mailOf } from './mail-of.ts';
import { operationNames, type OperationOf } from './operation-of.ts';
import { emailIn } from './email-in.ts';
import { reasonsOf } from './reasons.ts';
import type { Recorder } from '../records/recorder.ts';
import { Hiding, inAll } from '../mask/hide.ts';
import { redacted, redactedQuery } from '../../service/wire/redacted.ts';
import { secretFinder } from '../mask/secret-values.ts';
import type { SeenMail, SeenPost, SeenRequest } from '../records/seen.ts';

/** The most characters of mails and requests in a report. */
const MAX_CHARACTERS = 64 * 2 ** 20;

/** The most characters of a path, a query or a header in a request without a known token. */
const MOST_OF_A_STRANGER = 1_000;

/** The data of a report before checks and masking. */
export interface Collected {
  readonly data: ReportData;
  /** By the id of a mail: the number of the period between two resets in which it was sent. */
  readonly eras: ReadonlyMap<string, number>;
  /** By the id of a mail: its hidden recipients. */
  readonly bcc?: ReadonlyMap<string, readonly string[]>;
}

/** Collects the data of a recorder. `now` is the time of the emulator's clock. */
export async function collect(
  recorder: Recorder,
  now: number,
  { writesSource, tokens }: { readonly writesSource: boolean; readonly tokens: Iterable<string> },
): Promise<Collected> {
  await recorder.settled();
  const secrets = new Hiding(secretFinder([...tokens, ...recorder.secrets.all]));
  const shown = <Part>(part: Part) => inAll(part, secrets.text);
  const operationOf = operationNames();
  const seenMails = recorder.mails.all.reverse();
  const seenRequests = recorder.requests.all.reverse();
  const sent = mailsByRequest(seenMails);
  const mailIds = idsOfMails(seenMails);
  let room = MAX_CHARACTERS;
  const fits = (size: number) => {
    room -= size;
    return room >= 0;
  };
  const mails = firstThatFit(seenMails, (seen) => mailOf(seen, now, writesSource), sizeOfMail, fits);
  const requests = firstThatFit(
    seenRequests,
    (seen) => shown(requestOf(seen, operationOf, sent.get(seen) ?? [])),
    sizeOfRequest,
    fits,
  );
  const keptMails = new Set(mails.map(({ id }) => id));
  const keptRequests = new Set(requests.map(({ id }) => id));
  const data = reportDataOf(recorder, {
    omitted: {
      mails: recorder.mails.omitted + seenMails.length - mails.length,
      requests: recorder.requests.omitted + seenRequests.length - requests.length,
    },
    mails: mails.map((mail) =>
      mail.request === null || keptRequests.has(mail.request) ? mail : { ...mail, request: null },
    ),
    requests: requests.map((one) =>
      one.mails.every((id) => keptMails.has(id))
        ? one
        : { ...one, mails: one.mails.filter((id) => keptMails.has(id)) },
    ),
    posts: recorder.posts.all.reverse().map((seen) => shown(postOf(seen, mailIds))),
  });
  const eras = new Map(seenMails.map(({ number, era }) => [String(number), era.number]));
  const bcc = new Map(
    seenMails.map(({ number, copy }) => [String(number), copy.mail.bcc.map(({ email }) => email)]),
  );
  return { data, eras, bcc };
}

/** The data of a report or of the live page: these items, with the sums of everything recorded. */
export function reportDataOf(
  { mails, requests, refused, left, limits, began }: Recorder,
  items: Pick<ReportData, 'mails' | 'requests' | 'posts' | 'omitted'>,
): ReportData {
  return {
    version: REPORT_VERSION,
    run: { durationMs: Math.round(monotonicMs() - began) },
    source: 'emulator',
    writtenAt: Date.now(),
    addresses: 'shown',
    sent: mails.omitted + mails.length,
    requested: requests.omitted + requests.length,
    refused,
    kinds: kindsOf(mails.all, left),
    limits: [...limits].map(([pool, limit]) => ({ pool, ...limit })),
    findings: [],
    ...items,
  };
}

/** Converts the first items, until one does not fit. */
function firstThatFit<Seen, Shown>(
  all: readonly Seen[],
  shownOf: (seen: Seen) => Shown,
  sizeOf: (shown: Shown) => number,
  fits: (size: number) => boolean,
): Shown[] {
  const shown: Shown[] = [];
  for (const seen of all) {
    const one = shownOf(seen);
    if (!fits(sizeOf(one))) break;
    shown.push(one);
  }
  return shown;
}

/** An estimate: the source has the bodies in base64, and the attachments. */
function sizeOfMail({ html, text, source, attachments }: ReportMail): number {
  const bodies = (html?.length ?? 0) + (text?.length ?? 0);
  const files = attachments.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  return 500 + bodies + files + (source === null ? 0 : 500 + (bodies * 4) / 3 + files);
}

const sizeOfRequest = ({ details }: ReportRequest) =>
  300 + (details?.body?.length ?? 0) + (details?.responseBody?.length ?? 0);

export function mailsByRequest(seen: readonly SeenMail[]): ReadonlyMap<SeenRequest, readonly string[]> {
  const sent = new Map<SeenRequest, string[]>();
  for (const { request, number } of seen) {
    if (request === undefined) continue;
    const ids = sent.get(request) ?? [];
    ids.push(String(number));
    sent.set(request, ids);
  }
  return sent;
}

export function requestOf(
  { id, entry, url, at, durationMs, pool, cause, details, mark }: SeenRequest,
  operationOf: OperationOf,
  mails: readonly string[],
): ReportRequest {
  const { method, host, status, callId = null } = entry;
  // Without a token, anyone may have sent it.
  const cut = (text: string) => (status === 401 ? text.slice(0, MOST_OF_A_STRANGER) : text);
  const path = cut(entry.path);
  const query = redactedQuery(cut(entry.query));
  const isRefused = status !== null && status >= 400;
  const email = isRefused ? emailIn(details?.body ?? null) : undefined;
  return {
    id: String(id),
    ...(mark !== undefined && { mark }),
    at,
    clockAt: entry.at,
    method,
    host,
    path,
    query,
    operation: operationOf(method, host, path),
    status,
    durationMs: durationMs === null ? null : Math.round(durationMs * 10) / 10,
    callId,
    pool,
    refused: isRefused,
    reasons: isRefused && details !== undefined ? reasonsOf(details.responseBody, cause) : [],
    ...(email !== undefined && { email }),
    mails,
    details:
      details === undefined
        ? null
        : {
            url: cut(url) + query,
            ...details,
            headers: Object.entries(JSON.parse(details.headers) as Record<string, string>).map(
              ([name, value]) => [name, cut(value)],
            ),
          },
  };
}

/** The numbers of mails by the ids that posts name. */
export const idsOfMails = (seen: readonly SeenMail[]): ReadonlyMap<string, string> =>
  new Map(seen.map(({ copy, number }) => [copy.id, String(number)]));

export function postOf(
  { post, id, at, type, era, durationMs, nextAt }: SeenPost,
  mailIds: ReadonlyMap<string, string>,
): ReportPost {
  const { url, at: clockAt, attempt, status, body } = post;
  return {
    id: String(id),
    at,
    clockAt,
    type: eventsIn(body) || type,
    url: redactedQuery(url),
    attempt,
    status,
    // A reset drops what was planned.
    ...(durationMs !== null &&
      status !== 200 && { nextAt: era.endedAt === undefined ? (nextAt ?? null) : null }),
    durationMs: durationMs === null ? null : Math.round(durationMs * 10) / 10,
    body: redacted(body),
    mails: mailsIn(body, mailIds),
  };
}

const MESSAGE_ID = /"message_id"\s*:\s*"([\w-]{1,60})"/g;

/** The mails that the events in the body of a post are about, each once. */
function mailsIn(body: string, mailIds: ReadonlyMap<string, string>): string[] {
  const ids = [...body.matchAll(MESSAGE_ID)].flatMap(([, id = '']) => mailIds.get(id) ?? []);
  return [...new Set(ids)];
}

/** The types of the events in the body of a post, each once. */
function eventsIn(body: string): string {
  const names = [...body.matchAll(/"event"\s*:\s*"([\w.-]{1,60})"/g)].map(([, name = '']) => name);
  return [...new Set(names)].join(', ');
}

/** The kinds of emails, the most frequent first. */
function kindsOf(seen: readonly SeenMail[], left: readonly ReportKind[]): ReportKind[] {
  const kinds = new Map<string, ReportKind & { count: number }>();
  for (const one of left) kinds.set(one.id, { ...one });
  for (const mail of seen) {
    const kind = mail.kind();
    const counted = kinds.get(kind.id);
    if (counted === undefined) kinds.set(kind.id, { ...kind, count: 1 });
    else counted.count += 1;
  }
  return [...kinds.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
