import type { Random } from '../../random.ts';
import type { Streams } from '../../streams.ts';
import type { Course, Courses, Tracking } from '../email-logs/course.ts';
import type { EmulatorStream, LogRecord, MailFacts, LogStore } from '../email-logs/store.ts';
import type { InboxRecord, InboxStore } from '../sandbox/store.ts';
import type { DomainRecord } from '../sending-domains/store.ts';
import type { SuppressionStore, SuppressionType } from '../suppressions/store.ts';
import type { OptOutStore } from '../tracking-opt-outs/store.ts';
import type { Address, Mail } from './mail.ts';
import type { Outbox } from './outbox.ts';

/** The stores for accepted emails. */
export interface Delivery {
  readonly streams: Streams;
  readonly outbox: Outbox;
  readonly logs: LogStore;
  readonly courses: Courses;
  readonly suppressions: SuppressionStore;
  readonly optOuts: OptOutStore;
  readonly inboxes: InboxStore;
}

/** Sends an email: adds a message to the log for each recipient. Returns their ids in the order to, cc, bcc. */
export function send(
  delivery: Delivery,
  mail: Mail,
  domain: DomainRecord,
  stream: EmulatorStream,
  at: number,
  threadId: string | null = null,
): string[] {
  const { outbox, logs, courses } = delivery;
  const random = delivery.streams.of('messages');
  const facts = factsOf(mail, domain, stream, threadId, outbox.nextGroupId());
  const { open_tracking_enabled: opens, click_tracking_enabled: clicks } = domain.settings;
  const ids: string[] = [];
  forEachRecipient(mail, (recipient, field) => {
    const id = random.uuid();
    const to = recipient.email;
    const isTracked = !delivery.optOuts.covers(to, domain.id);
    const tracking: Tracking = { opens: isTracked && opens, clicks: isTracked && clicks };
    const course = stopped(delivery, to, facts, at) ?? courses.for(to, tracking);
    const record = logs.add({ id, sentAt: at, to, mail: facts, course });
    noteOutcome(delivery, random, record);
    outbox.add({ id, field, recipient, mail, stream, inboxId: null, at }, record);
    ids.push(id);
  });
  return ids;
}

/** The course of an email to a suppressed recipient; `undefined` if the recipient is not suppressed. */
function stopped(
  { suppressions, courses }: Delivery,
  to: string,
  facts: MailFacts,
  at: number,
): Course | undefined {
  const found = suppressions.stopping(facts, to, at);
  if (found === undefined) return undefined;
  const status = found.type === 'unsubscription' ? 'opted_out' : 'not_delivered';
  return courses.refused(status, 'Recipient is on the suppression list');
}

const CONSEQUENCES: Readonly<Record<string, SuppressionType>> = {
  bounce: 'hard bounce',
  spam: 'spam complaint',
  unsubscribe: 'unsubscription',
};

/** Suppresses the recipient from the time of the message's bounce, complaint or unsubscription. */
export function noteOutcome(
  { suppressions }: Pick<Delivery, 'suppressions'>,
  random: Random,
  { to, sentAt, mail, course }: LogRecord,
): void {
  const { accountId, domainId, stream, from, subject, category, clientIp } = mail;
  for (const { type, afterMs } of course.steps) {
    const consequence = CONSEQUENCES[type];
    if (consequence === undefined) continue;
    suppressions.put({
      id: random.uuid(),
      accountId,
      email: to,
      type: consequence,
      stream,
      domainId,
      createdAt: sentAt + afterMs,
      cause: { to, sentAt, stream, from, subject, category, clientIp },
    });
  }
}

/**
 * Captures an email in a test inbox, as one message, without sending or logging it. As recorded, returns one id for all
 * recipients. In a batch, it is the id of the message, because recorded ids have this form.
 */
export function capture(
  { streams, outbox, inboxes }: Delivery,
  mail: Mail,
  inbox: InboxRecord,
  ids: 'uuid' | 'number',
  at: number,
): string[] {
  const messageId = outbox.nextNumber();
  inboxes.capture(inbox, Number(messageId), mail, at);
  const id = ids === 'uuid' ? streams.of('messages').uuid() : messageId;
  forEachRecipient(mail, (recipient, field) =>
    outbox.add({ id, field, recipient, mail, stream: 'sandbox', inboxId: inbox.id, at }),
  );
  return [id];
}

const FIELDS = ['to', 'cc', 'bcc'] as const;

/** Calls back for each recipient, in the order to, cc, bcc. */
function forEachRecipient(
  mail: Mail,
  visit: (recipient: Address, field: (typeof FIELDS)[number]) => void,
): void {
  for (const field of FIELDS) for (const recipient of mail[field]) visit(recipient, field);
}

function factsOf(
  mail: Mail,
  domain: DomainRecord,
  stream: EmulatorStream,
  threadId: string | null,
  groupId: string,
): MailFacts {
  const headers = Object.entries(mail.headers);
  const header = (wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? null;
  return {
    accountId: domain.accountId,
    domainId: domain.id,
    stream,
    from: mail.from.email,
    subject: mail.subject,
    // An IP address for documentation (RFC 5737).
    clientIp: '203.0.113.5',
    category: mail.category,
    customVariables: mail.customVariables,
    templateId: mail.templateId,
    templateVariables: mail.templateVariables,
    inReplyTo: header('in-reply-to'),
    references: header('references')?.match(/<[^<>]+>/g) ?? [],
    threadId,
    groupId,
    link: /https?:\/\/[^\s"'<>]+/.exec(mail.html ?? mail.text ?? '')?.[0] ?? `https://${domain.name}/`,
    content: mail,
  };
}
