/** A report of the emails in a test inbox of the service. */
import type { ReportAddress, ReportData, ReportKind, ReportMail } from './data/data.ts';
import { REPORT_VERSION } from './data/data.ts';
import { toBase64 } from '../encoding/base64.ts';
import { sha256 } from '../encoding/hashes.ts';
import { check, flag, moment, objectOf, positive, whole, type Kind } from '../declare/kind.ts';
import { mailFrom, UnreadableMail } from '../reading/message/raw-mail.ts';
import type { MailParts } from '../reading/message/received-mail.ts';
import type { MailboxClient, MailboxMessage, MailboxMessagePage } from '../reading/message/message-types.ts';
import { kindOfSubject } from './records/kind-of.ts';
import { MAX_SOURCE, saidIn } from './collect/mail-of.ts';
import { fileKind, reportKinds, type EmulatorReportOptions } from './report-options.ts';
import { MAX_MAILS } from './records/recorder.ts';
import { CheckedMails } from './collect/findings.ts';
import { finished, written } from './report.ts';
import type { EmulatorReport } from './summary.ts';

/** The part of a client that {@link mailReport} uses. An `EmailPlatform` has it. */
export interface MailReportClient {
  /** The test inbox that is read unless an option names another. */
  readonly sandboxInboxId?: number | undefined;
  /** Test inboxes. */
  readonly sandbox: {
    /** The messages in them. */
    readonly messages: MailboxClient['sandbox']['messages'] & {
      /** Returns the opinion of a spam filter about a message. */
      spamReport(
        inbox: number,
        id: number,
      ): PromiseLike<{
        /** Points of the message. */
        readonly Score: number;
      }>;
      /** Returns the parts of a message's HTML that not every mail program supports. */
      htmlAnalysis(
        inbox: number,
        id: number,
      ): PromiseLike<{
        /** Each part. */
        readonly errors?: readonly unknown[] | undefined;
      }>;
    };
  };
}

/** The options of {@link mailReport}. */
export interface MailReportOptions extends EmulatorReportOptions {
  /** The name of the file. It is replaced; its folder is made where there is none. */
  file: string;
  /**
   * The id of the test inbox.
   * @defaultValue the client's `sandboxInboxId`
   */
  inbox?: number;
  /** When a mail arrived at the earliest: a `Date` or milliseconds, by the clock of the service. */
  after?: Date | number;
  /**
   * How many of the newest mails are read, from 1 to 5,000. The others are counted.
   * @defaultValue 100
   */
  most?: number;
  /**
   * Whether the service's spam score and its analysis of the HTML are asked for: two requests more for each mail.
   * @defaultValue true
   */
  analysis?: boolean;
}

const mailReportOptions = objectOf<MailReportOptions>(
  {
    file: fileKind,
    inbox: positive,
    after: moment,
    most: whole(1, MAX_MAILS),
    analysis: flag,
    ...reportKinds,
  },
  ['file'],
);

const clientKind: Kind = {
  what: 'a client, which has sandbox.messages',
  hasType: (value) =>
    typeof (Object(value) as { sandbox?: { messages?: { spamReport?: unknown } } }).sandbox?.messages
      ?.spamReport === 'function',
};

/** How many mails are read at a time. */
const AT_A_TIME = 4;

/**
 * Writes the mails in a test inbox of the service into one HTML file, as {@link Emulator.report} does with those of an
 * emulator: with the service's spam score and its analysis of the HTML, and the same checks. It makes a request for each
 * page of the inbox and three for each mail, within the client's limits.
 *
 * @param client - An `EmailPlatform` whose token may read the inbox.
 * @throws {@link ReportError} with `failOn` and findings of that level, after the file was written; the client's error if
 * the inbox cannot be read; `Error` if the file cannot be written; `TypeError` or `RangeError` for wrong arguments. The
 * promise rejects with it.
 *
 * @example
 * ```ts
 * await mailReport(client, { inbox: 12, file: 'mails.html', failOn: 'error' });
 * ```
 */
export async function mailReport(
  client: MailReportClient,
  input: MailReportOptions,
): Promise<EmulatorReport> {
  check(clientKind, client, 'client');
  const options = check(mailReportOptions, input, 'options');
  const { file, after, most = 100, analysis = true, inbox = client.sandboxInboxId } = options;
  if (inbox === undefined)
    throw new TypeError('`options.inbox` is missing: give it, or make the client with `sandboxInboxId`');
  const { messages, count } = await messagesIn(client, inbox, Number(after ?? -Infinity), most);
  const read: ReportMail[] = [];
  const checked = new CheckedMails();
  for (let from = 0; from < messages.length; from += AT_A_TIME) {
    const some = messages.slice(from, from + AT_A_TIME);
    const mails = await Promise.all(
      some.map((message) => mailIn(client, inbox, message, analysis, checked.unread)),
    );
    read.push(...mails.filter((mail) => mail !== undefined));
  }
  const kinds = new Map<string, ReportKind>();
  for (const { kind } of read) {
    const name = kind.slice('subject:'.length);
    kinds.set(kind, { id: kind, name, by: 'subject', count: (kinds.get(kind)?.count ?? 0) + 1 });
  }
  const data: ReportData = {
    version: REPORT_VERSION,
    source: 'inbox',
    writtenAt: Date.now(),
    addresses: 'shown',
    sent: count,
    requested: 0,
    refused: 0,
    omitted: { mails: count - read.length, requests: 0 },
    kinds: [...kinds.values()].sort((a, b) => b.count - a.count),
    mails: read,
    requests: [],
    limits: [],
    posts: [],
    findings: [],
  };
  const eras = new Map(read.map(({ id }) => [id, 1]));
  const contents = { ...options, addresses: options.addresses ?? ('masked' as const) };
  return written(file, finished({ data, eras }, contents, checked), options);
}

/** The newest messages, and how many there are from that time on, as far as the pages that were read tell. */
async function messagesIn(
  client: MailReportClient,
  inbox: number,
  after: number,
  most: number,
): Promise<{ messages: MailboxMessage[]; count: number }> {
  const { data } = await client.sandbox.messages.list(inbox, {}, {}).withResponse();
  const found: MailboxMessage[] = [];
  let page: MailboxMessagePage | undefined = data;
  while (page !== undefined) {
    const isNew = ({ created_at: at }: MailboxMessage) => !(Date.parse(at) < after);
    const recent = page.items.filter(isNew);
    found.push(...recent);
    if (recent.length < page.items.length || found.length >= MAX_MAILS) break;
    page = await page.nextPage();
  }
  return { messages: found.slice(0, most), count: found.length };
}

/** A mail with the service's analysis, or only with what the inbox lists; `undefined` if the service no longer has it. */
async function mailIn(
  client: MailReportClient,
  inbox: number,
  message: MailboxMessage,
  isAnalyzed: boolean,
  unread: Map<string, string>,
): Promise<ReportMail | undefined> {
  const { messages } = client.sandbox;
  const { id } = message;
  try {
    const raw = await messages.eml(inbox, id, {});
    const mail = await mailFrom(raw, String(id), message).catch((error: unknown) => {
      if (!(error instanceof UnreadableMail)) throw error;
      unread.set(String(id), (error.cause as Error).message);
      return listedMail(message);
    });
    const analyzed = isAnalyzed && mail.html !== null;
    const [spam, html] = await Promise.all([
      isAnalyzed ? orNone(messages.spamReport(inbox, id)) : undefined,
      analyzed ? orNone(messages.htmlAnalysis(inbox, id)) : undefined,
    ]);
    const shown = reportMailOf(mail, raw, message);
    return { ...shown, spamScore: spam?.Score ?? null, htmlErrors: html?.errors?.length ?? null };
  } catch (error) {
    if ((Object(error) as { status?: unknown }).status === 404) return undefined;
    throw error;
  }
}

/** The fields of a message in the inbox's list. */
const listedMail = ({ id, from_email, subject, created_at }: MailboxMessage): MailParts => ({
  ...{ id: String(id), from: from_email, fromName: null, to: [], toNames: [], cc: [], ccNames: [] },
  ...{ reply_to: null, subject, template: null, date: new Date(created_at) },
  ...{ text: null, html: null, headers: {}, attachments: [] },
});

/** A result; `undefined` if the service has none for this message. */
async function orNone<Result>(request: PromiseLike<Result>): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    const { status } = Object(error) as { status?: unknown };
    if (status === 404 || status === 422) return undefined;
    throw error;
  }
}

function reportMailOf(mail: MailParts, raw: Uint8Array, message: MailboxMessage): ReportMail {
  const to = mail.to.length > 0 ? mail.to.join(', ') : message.to_email;
  const at = Date.parse(message.created_at);
  return {
    id: mail.id,
    kind: kindOfSubject(mail.subject, { email: mail.to[0] ?? message.to_email, name: null }).id,
    at,
    clockAt: at,
    stream: 'sandbox',
    from: mail.from,
    fromName: mail.fromName,
    to,
    toName: mail.to.length === 1 ? (mail.toNames[0] ?? null) : null,
    field: 'to',
    recipients: { to: addressesOf(mail.to, mail.toNames), cc: addressesOf(mail.cc, mail.ccNames) },
    replyTo: mail.reply_to,
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    headers: Object.entries(mail.headers),
    source: raw.length > MAX_SOURCE ? null : textOf(raw),
    attachments: mail.attachments.map(({ filename, type, content, disposition, contentId }) => ({
      filename: filename ?? '',
      type,
      bytes: content.length,
      inline: disposition === 'inline',
      contentId,
      content: content.length > MAX_SOURCE ? null : toBase64(content),
      sha256: sha256(content),
    })),
    ...saidIn(mail.html, mail.text),
    template: null,
    category: null,
    events: [],
    request: null,
  };
}

const addressesOf = (emails: readonly string[], names: readonly (string | null)[]): ReportAddress[] =>
  emails.map((email, index) => ({ email, name: names[index] ?? null }));

/** Decodes a raw message as UTF-8, or byte by byte if it is not valid UTF-8. */
function textOf(raw: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    return new TextDecoder('latin1').decode(raw);
  }
}
