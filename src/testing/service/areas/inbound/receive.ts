import type { EmulatorAttachment } from '../../state/emails/mail.ts';
import type { World } from '../../state/world.ts';
import { rfcMessageId } from '../email-logs/view.ts';
import { forwardByRules } from './outgoing.ts';
import type { InboxRecord, MessageRecord, ThreadEntry, ThreadRecord } from '../../state/inboxes/inbound.ts';
import { addressIn } from './view.ts';

/** A file of an email for {@link Emulator.Inbound.receive}. */
export interface EmulatorInboundFile {
  /** The content, as base64. */
  content: string;
  /** Its name. */
  filename: string;
  /**
   * Its media type.
   * @defaultValue 'application/octet-stream'
   */
  type?: string;
}

/** An email to an inbox, for {@link Emulator.Inbound.receive}. */
export interface EmulatorInboundFields {
  /**
   * The recipients. At least one address of `to`, `cc` and `bcc` is the address of an inbox. Every name at a domain with an
   * inbox of its own is; the domain has to have `inbound_enabled`.
   */
  to: string | readonly string[];
  /** The sender: an address, or `Name <address>`. */
  from: string;
  /** More recipients. */
  cc?: string | readonly string[];
  /** More recipients, hidden from the others. */
  bcc?: string | readonly string[];
  /** The `Reply-To` address. */
  reply_to?: string;
  /** The subject. */
  subject?: string;
  /** The plain-text body. */
  text?: string;
  /** The HTML body. */
  html?: string;
  /** More headers. */
  headers?: Readonly<Record<string, string>>;
  /** The `Message-ID` header. By default, a unique one. */
  rfc_message_id?: string;
  /** The `Message-ID` of the answered email: an `rfc_message_id` of the email log, or of another message. */
  in_reply_to?: string;
  /** The `References` header. By default, `in_reply_to`. */
  references?: readonly string[];
  /** The attached files. */
  attachments?: readonly EmulatorInboundFile[];
}

/** The place of a received email. */
export interface EmulatorReceived {
  /** Id of the inbox. */
  readonly inboxId: number;
  /** Id of the message. */
  readonly messageId: string;
  /** Id of the thread. */
  readonly threadId: string;
}

/**
 * Puts an email into the inboxes of its recipients. Webhooks then post an event, and rules forward the email.
 *
 * @throws `RangeError` if no inbox receives it
 */
export function receive(world: World, fields: EmulatorInboundFields, now: number): EmulatorReceived[] {
  const listOf = (input: string | readonly string[] = []) => [input].flat();
  const to = listOf(fields.to);
  const cc = listOf(fields.cc);
  const bcc = listOf(fields.bcc);
  const addresses = [...to, ...cc, ...bcc].map(addressIn);
  const inboxes = [...new Set(addresses.flatMap((address) => world.inbound.inboxesAt(address)))];
  const receiving = inboxes.filter((inbox) => isReceiving(world, inbox));
  const [first] = inboxes;
  if (first === undefined) throw new RangeError('None of the recipients is the address of an inbox');
  if (receiving.length === 0)
    throw new RangeError(
      `The domain of ${first.address} does not receive email: set its inbound_enabled to true first`,
    );
  return receiving.map((inbox) => {
    const message = messageOf(world, inbox, { ...fields, to, cc, bcc }, now);
    world.inbound.messages.put(message);
    forwardByRules(world, inbox, message, now);
    const { id: inboxId, accountId } = inbox;
    const event = {
      event: 'inbound.message_received',
      // Milliseconds, as recorded, unlike those of other events.
      timestamp: now,
      inbox_id: inboxId,
      message_id: message.id,
      from: message.from,
    };
    world.sources.emit(accountId, 'inbound_receiving', event, now, ({ settings }) =>
      [null, inboxId].includes(settings.inboxId),
    );
    return { inboxId, messageId: message.id, threadId: message.threadId };
  });
}

/** Whether an inbox receives email. One at a domain of the account does while the domain has it enabled. */
const isReceiving = ({ domains }: World, { domainId }: InboxRecord): boolean =>
  domainId === null || domains.anywhere(domainId)?.settings.inbound_enabled === true;

function messageOf(
  world: World,
  inbox: InboxRecord,
  fields: EmulatorInboundFields & { to: readonly string[]; cc: readonly string[]; bcc: readonly string[] },
  now: number,
): MessageRecord {
  const { inbound } = world;
  const { from, subject = null, in_reply_to: inReplyTo = null } = fields;
  const references = fields.references ?? (inReplyTo === null ? [] : [inReplyTo]);
  const thread = threadOf(world, inbox, [...references, ...(inReplyTo === null ? [] : [inReplyTo])], subject);
  const id = inbound.nextLongId();
  const rfcId = fields.rfc_message_id ?? `<${id}@${addressIn(from).split('@').at(-1) ?? ''}>`;
  const message: MessageRecord = {
    id,
    accountId: inbox.accountId,
    inboxId: inbox.id,
    threadId: thread.id,
    receivedAt: now,
    from,
    to: fields.to,
    cc: fields.cc,
    bcc: fields.bcc,
    replyTo: fields.reply_to ?? null,
    subject,
    rfcId,
    inReplyTo,
    references: [...references],
    headers: { ...fields.headers },
    text: fields.text ?? null,
    html: fields.html ?? null,
    attachments: (fields.attachments ?? []).map(fileOf),
    forwards: [],
    isDeleted: false,
  };
  thread.entries.push({ direction: 'inbound', message });
  return message;
}

const fileOf = ({ content, filename, type }: EmulatorInboundFile): EmulatorAttachment => ({
  content,
  filename,
  type: type ?? 'application/octet-stream',
  disposition: 'attachment',
  contentId: null,
});

const rfcIdOf = (entry: ThreadEntry) =>
  entry.direction === 'inbound' ? entry.message.rfcId : rfcMessageId(entry.sent);

/** The thread of a message: a thread of the inbox, or of an answered email in the log; otherwise a new one. */
function threadOf(
  { inbound, logs }: World,
  inbox: InboxRecord,
  answered: readonly string[],
  subject: string | null,
): ThreadRecord {
  const known = inbound
    .threadsIn(inbox)
    .find(({ entries }) => entries.some((entry) => answered.includes(rfcIdOf(entry))));
  if (known !== undefined) return known;
  const thread = inbound.addThread(inbox, subject);
  for (const rfcId of new Set(answered)) {
    const sent = logs.find(inbox.accountId, /^<([^@>]+)@/.exec(rfcId)?.[1] ?? '');
    if (sent === undefined || rfcMessageId(sent) !== rfcId || sent.mail.threadId !== null) continue;
    // A copy of the shared facts: the email's messages to other recipients stay outside the thread.
    sent.mail = { ...sent.mail, threadId: thread.id };
    thread.entries.push({ direction: 'outbound', sent });
  }
  return thread;
}
