import { fromBase64 } from '../../../encoding/base64.ts';
import { writeEml } from '../../state/emails/eml.ts';
import { iso } from '../../../encoding/iso.ts';
import type { Exchange } from '../../routing/route.ts';
import type { ReaderLinks } from '../../state/emails/reader-links.ts';
import type { SignedStorage, StoredFile } from '../../state/account/storage.ts';
import { happened, statusAt } from '../../state/emails/course.ts';
import type { LogRecord } from '../../state/emails/email-log.ts';
import { contentOf as contentSent, rfcMessageId } from '../email-logs/view.ts';
import type { Address, EmulatorAttachment, MailContent } from '../../state/emails/mail.ts';
import type { World } from '../../state/world.ts';
import type {
  InboundStore,
  MessageRecord,
  RuleRecord,
  ThreadEntry,
  ThreadRecord,
} from '../../state/inboxes/inbound.ts';

const bytes = (text: string | null) => (text === null ? null : new TextEncoder().encode(text).length);

/** The address and the display name in a sender or recipient. */
function mailboxIn(text: string): Address {
  const found = /<([^<>]+)>/.exec(text);
  const before = text.slice(0, found?.index ?? 0).trim();
  const name = before.replace(/^"|"$|\\(?=["\\])/g, '');
  return { email: found?.[1] ?? text.trim(), name: name === '' ? null : name };
}

/** The bare address in a sender or recipient. */
export const addressIn = (text: string): string => mailboxIn(text).email;

/** The data for signed links to files: valid until `until`, in milliseconds. */
export interface Links {
  readonly storage: SignedStorage;
  readonly origin: string;
  readonly until: number;
  readonly readerLinks: ReaderLinks;
}

/** The data for the links in the response to a request. */
export const linksIn = ({ storage, settings, readerLinks }: World, { origin, now }: Exchange): Links => ({
  storage,
  origin,
  until: now + settings.inbound.fileUrlMs,
  readerLinks,
});

const rawPath = ({ id }: MessageRecord) => `/inbound/${id}.eml`;
const filePath = ({ id }: MessageRecord, index: number) => `/inbound/${id}/${index + 1}`;

/** The file of a message with this path in the storage. */
export function inboundFile(store: InboundStore, path: string): StoredFile | undefined {
  const [, id = '', index] = /^\/inbound\/(\d+)(?:\.eml|\/(\d+))$/.exec(path) ?? [];
  const message = store.messages.anywhere(id);
  if (message === undefined) return undefined;
  if (index === undefined) return { type: 'message/rfc822', body: sourceOf(message) };
  const attachment = message.attachments[Number(index) - 1];
  return attachment && { type: attachment.type, body: fromBase64(attachment.content) };
}

/** The content of a received message, in the format of an email. */
export function contentOf(message: MessageRecord): MailContent {
  return {
    from: mailboxIn(message.from),
    replyTo: message.replyTo === null ? null : mailboxIn(message.replyTo),
    to: message.to.map(mailboxIn),
    cc: message.cc.map(mailboxIn),
    subject: message.subject ?? '',
    text: message.text,
    html: message.html,
    headers: message.headers,
    attachments: message.attachments,
  };
}

const sourceOf = (message: MessageRecord) =>
  writeEml(contentOf(message), {
    id: message.id,
    sentAt: message.receivedAt,
    messageId: message.rfcId,
  });

function attachmentView(
  message: MessageRecord,
  { content, ...file }: EmulatorAttachment,
  index: number,
  links?: Links,
) {
  return {
    attachment_id: String(index + 1),
    size: fromBase64(content).length,
    filename: file.filename,
    content_type: file.type,
    content_disposition: file.disposition,
    content_id: file.contentId,
    ...(links && {
      download_url: links.storage.link(links.origin, filePath(message, index), links.until),
      download_url_expires_at: iso(links.until),
    }),
  };
}

const attachmentsOf = (message: MessageRecord, links?: Links) =>
  message.attachments.map((attachment, index) => attachmentView(message, attachment, index, links));

/** A message, as in a list; with links, a single one. */
export function messageView(message: MessageRecord, links?: Links): Record<string, unknown> {
  return {
    id: message.id,
    inbox_id: message.inboxId,
    from: message.from,
    to: message.to,
    cc: message.cc,
    bcc: message.bcc,
    reply_to: message.replyTo,
    subject: message.subject,
    rfc_message_id: message.rfcId,
    in_reply_to: message.inReplyTo,
    references: message.references,
    // As recorded of a message without more headers.
    headers: { 'mime-version': '1.0', 'return-path': '', ...message.headers },
    size: sourceOf(message).length,
    html_size: bytes(message.html),
    text_size: bytes(message.text),
    received_at: iso(message.receivedAt),
    thread_id: message.threadId,
    attachments: attachmentsOf(message, links),
    forwards: message.forwards,
    ...(links && {
      html_body: message.html,
      text_body: message.text,
      raw_message_url: links.storage.link(links.origin, rawPath(message), links.until),
      raw_message_expires_at: iso(links.until),
    }),
  };
}

const timeOf = (entry: ThreadEntry) =>
  entry.direction === 'inbound' ? entry.message.receivedAt : entry.sent.sentAt;
const sizeOf = (entry: ThreadEntry) =>
  entry.direction === 'inbound' ? sourceOf(entry.message).length : (bytes(entry.sent.mail.subject) ?? 0);
const lastOf = (entries: readonly ThreadEntry[], direction: ThreadEntry['direction']) => {
  const last = entries.filter((entry) => entry.direction === direction).at(-1);
  return last === undefined ? null : iso(timeOf(last));
};

const unique = (addresses: readonly string[]) => [...new Set(addresses)];

const sendersOf = ({ entries }: ThreadRecord) =>
  unique(entries.map((entry) => (entry.direction === 'inbound' ? entry.message : entry.sent.mail).from));
const recipientsOf = ({ entries }: ThreadRecord) =>
  unique(entries.flatMap((entry) => (entry.direction === 'inbound' ? entry.message : entry.sent).to));

/** The senders and recipients of a thread's messages. */
export const peopleOf = (thread: ThreadRecord) => [...sendersOf(thread), ...recipientsOf(thread)];

/** A thread, as in a list. */
export function threadSummary(thread: ThreadRecord, links: Links): Record<string, unknown> {
  const { id, subject, entries } = thread;
  const last = entries.at(-1);
  const times = entries.map(timeOf);
  const inbound = entries.flatMap((entry) => (entry.direction === 'inbound' ? [entry.message] : []));
  return {
    id,
    subject,
    message_count: entries.length,
    size: entries.reduce((sum, entry) => sum + sizeOf(entry), 0),
    first_message_at: iso(Math.min(...times)),
    last_received_at: lastOf(entries, 'inbound'),
    last_sent_at: lastOf(entries, 'outbound'),
    last_activity_at: iso(Math.max(...times)),
    last_message_id:
      last === undefined ? null : last.direction === 'inbound' ? last.message.id : last.sent.id,
    senders: sendersOf(thread),
    recipients: recipientsOf(thread),
    attachments: inbound.flatMap((message) => (message.isDeleted ? [] : attachmentsOf(message, links))),
  };
}

/** A single thread, with its messages. */
export function threadView(thread: ThreadRecord, links: Links, now: number): Record<string, unknown> {
  return {
    ...threadSummary(thread, links),
    messages: thread.entries.map((entry) =>
      entry.direction === 'inbound' ? receivedView(entry.message, links) : sentView(entry.sent, links, now),
    ),
  };
}

function receivedView(message: MessageRecord, links: Links): Record<string, unknown> {
  if (message.isDeleted) return { visibility_status: 'placeholder', direction: 'inbound' };
  return {
    visibility_status: 'available',
    direction: 'inbound',
    id: message.id,
    message_group_id: null,
    subject: message.subject,
    rfc_message_id: message.rfcId,
    in_reply_to: message.inReplyTo,
    references: message.references,
    from: message.from,
    to: message.to,
    cc: message.cc,
    bcc: message.bcc,
    // As recorded, empty without a Reply-To address.
    reply_to: message.replyTo ?? '',
    created_at: iso(message.receivedAt),
    email_size: sourceOf(message).length,
    text_body: message.text,
    html_body: message.html,
    attachments: attachmentsOf(message, links),
    forwards: message.forwards,
  };
}

function sentView(sent: LogRecord, links: Links, now: number): Record<string, unknown> {
  const { mail, course, sentAt } = sent;
  const known = contentSent(sent, links.readerLinks);
  const content = known instanceof Uint8Array ? null : known;
  const steps = happened(course, now - sentAt);
  const at = (type: string) => {
    const step = steps.find((one) => one.type === type);
    return step === undefined ? null : iso(sentAt + step.afterMs);
  };
  const times = { delivered_at: at('delivery'), bounced_at: at('bounce') };
  const outcome = { delivery_status: statusAt(course, now - sentAt), ...times };
  return {
    visibility_status: 'available',
    direction: 'outbound',
    id: sent.id,
    message_group_id: mail.groupId,
    subject: mail.subject,
    rfc_message_id: rfcMessageId(sent),
    in_reply_to: mail.inReplyTo,
    references: mail.references,
    from: mail.from,
    to: [sent.to],
    cc: [],
    bcc: [],
    reply_to: content?.replyTo?.email ?? '',
    created_at: iso(sentAt),
    email_size: bytes(content?.text ?? content?.html ?? null) ?? 0,
    text_body: content?.text ?? null,
    html_body: content?.html ?? null,
    attachments: [],
    // Both forms: the delivery as recorded first, and the fields as recorded later.
    delivery: { to: sent.to, status: outcome.delivery_status, ...times },
    ...outcome,
  };
}

/** A rule. */
export function ruleView(rule: RuleRecord): Record<string, unknown> {
  return {
    id: rule.id,
    name: rule.name,
    created_at: iso(rule.createdAt),
    updated_at: iso(rule.updatedAt),
    conditions: rule.conditions,
    destinations: rule.destinations.map((email) => ({ email })),
  };
}
