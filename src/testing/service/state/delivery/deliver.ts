import type { Streams } from '../base/streams.ts';
import { CampaignCopy, CampaignEntry, type Mailing } from './mailing.ts';
import type { ContactRecord } from '../audience/contacts.ts';
import type { Course, Courses } from '../emails/course.ts';
import type { EmulatorStream, MailFacts, LogStore } from '../emails/email-log.ts';
import type { InboxRecord, InboxStore } from '../inboxes/sandbox.ts';
import type { DomainRecord, DomainStore } from '../account/domains.ts';
import type { SuppressionStore } from '../audience/suppressions.ts';
import type { OptOutStore } from '../audience/opt-outs.ts';
import { headerOf, withFooter, type Address, type Mail } from '../emails/mail.ts';
import type { Copy, Outbox } from '../emails/outbox.ts';
import { firstLink } from './first-link.ts';
import type { Readers } from './readers.ts';

/** The stores for accepted emails. */
export interface Delivery {
  readonly streams: Streams;
  readonly outbox: Outbox;
  readonly logs: LogStore;
  readonly courses: Courses;
  readonly suppressions: SuppressionStore;
  readonly optOuts: OptOutStore;
  readonly domains: DomainStore;
  readonly readers: Readers;
  readonly inboxes: InboxStore;
}

/** Sends an email: adds a message to the log for each recipient. Returns their ids in the order to, cc, bcc. */
export function send(
  delivery: Delivery,
  given: Mail,
  domain: DomainRecord,
  stream: EmulatorStream,
  at: number,
  threadId: string | null = null,
): string[] {
  const { outbox, logs } = delivery;
  const random = delivery.streams.of('messages');
  const link = firstLink(given);
  const mail = domain.settings.auto_unsubscribe_link_enabled ? withFooter(given) : given;
  const facts = factsOf(mail, domain, stream, threadId, outbox.nextGroupId(), link);
  const ids: string[] = [];
  forEachRecipient(mail, (recipient, field) => {
    const id = random.uuid();
    const to = recipient.email;
    const { refused, course } = courseOf(delivery, to, facts, at, () => link !== undefined);
    const record = logs.add({ id, sentAt: at, to, mail: facts, course });
    delivery.readers.expect(record, random);
    const copy = (place: number): Copy => ({ id, place, field, recipient, mail, stream, inboxId: null, at });
    outbox[refused ? 'withhold' : 'add'](copy, record);
    ids.push(id);
  });
  return ids;
}

/** Sends the email of a campaign to a contact. Its turn determines its id and its time. */
export function sendOfCampaign(
  delivery: Delivery,
  mailing: Mailing,
  turn: number,
  { email: to, fields }: Pick<ContactRecord, 'email' | 'fields'>,
): void {
  const { outbox, logs } = delivery;
  const { accountId, domainId } = mailing.facts;
  const address = { accountId, domainId, stream: 'bulk' } as const;
  const { refused, course } = courseOf(delivery, to, address, mailing.sentAt(turn), () =>
    mailing.hasLink(fields),
  );
  const entry = logs.insert((order) => new CampaignEntry(mailing, turn, order, to, fields, course));
  delivery.readers.expect(entry, delivery.streams.of('messages'));
  const copy = (place: number) => new CampaignCopy(entry, place);
  outbox[refused ? 'withhold' : 'add'](copy, entry);
}

/** The course of an email, and whether its recipient is suppressed. Its domain tracks it unless the recipient has opted out. */
function courseOf(
  { suppressions, courses, domains, optOuts }: Delivery,
  to: string,
  facts: Pick<MailFacts, 'accountId' | 'domainId' | 'stream'>,
  at: number,
  hasLink: () => boolean,
): { readonly refused: boolean; readonly course: Course } {
  const found = suppressions.stopping(facts, to, at);
  if (found !== undefined) return { refused: true, course: courses.refused(found.type) };
  const settings = optOuts.covers(to, facts.domainId)
    ? undefined
    : domains.anywhere(facts.domainId)?.settings;
  const opens = settings?.open_tracking_enabled === true;
  const clicks = settings?.click_tracking_enabled === true && hasLink();
  return { refused: false, course: courses.for(to, { opens, clicks }) };
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
    outbox.add((place) => ({ id, place, field, recipient, mail, stream: 'sandbox', inboxId: inbox.id, at })),
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
  link: string | undefined,
): MailFacts {
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
    inReplyTo: headerOf(mail.headers, 'in-reply-to') ?? null,
    references: headerOf(mail.headers, 'references')?.match(/<[^<>]+>/g) ?? [],
    threadId,
    groupId,
    link: link ?? `https://${domain.name}/`,
    content: mail,
  };
}
