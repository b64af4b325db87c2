import { unprocessable } from '../../wire/reply.ts';
import type { LogRecord } from '../../state/emails/email-log.ts';
import { NEW_DOMAIN, type DomainRecord } from '../../state/account/domains.ts';
import { send } from '../../state/delivery/deliver.ts';
import type { Address, Mail } from '../../state/emails/mail.ts';
import type { World } from '../../state/world.ts';
import { PartReader } from '../sending/parts.ts';
import { ruleMatches } from './rules.ts';
import { HOSTED_DOMAIN, isAt, type InboxRecord, type MessageRecord } from '../../state/inboxes/inbound.ts';
import { addressIn, contentOf } from './view.ts';

/** The ways to answer a message. */
export type Answer = 'reply' | 'reply_all' | 'forward';

const NO_TEMPLATE = { templateId: null, template: null, templateVariables: null } as const;

const named = (email: string): Address => ({ email: addressIn(email), name: null });

/** The service's own domain, as a verified domain of an account. */
const hosted = (accountId: number): DomainRecord => ({
  ...HOSTED_DOMAIN,
  accountId,
  settings: { ...NEW_DOMAIN, inbound_enabled: true },
  dns: { kind: 'passing', since: 0, reviewed: true },
  companyInfo: null,
});

const prefixed = (prefix: string, subject: string | null) =>
  subject?.toLowerCase().startsWith(prefix.toLowerCase()) ? subject : `${prefix} ${subject ?? ''}`.trim();

/** Sends a reply or a forward, and adds it to the thread. Returns the ids of its messages in the log. */
export function answer(
  world: World,
  kind: Answer,
  inbox: InboxRecord,
  message: MessageRecord,
  body: Readonly<Record<string, unknown>>,
  now: number,
): string[] {
  const reader = new PartReader(body);
  const from = senderOf(world, inbox, reader);
  const input = {
    replyTo: reader.address('reply_to'),
    to: reader.addresses('to'),
    cc: reader.addresses('cc'),
    bcc: reader.addresses('bcc'),
  };
  const recipients = { ...input, ...recipientsOf(kind, inbox, message, input) };
  if (recipients.to.length === 0) throw unprocessable({ to: ["can't be blank"] });
  const isForward = kind === 'forward';
  const { text, html, attachments } = contentOf(message);
  const threading = {
    'In-Reply-To': message.rfcId,
    References: [...message.references, message.rfcId].join(' '),
  };
  const own = {
    text: reader.text('text'),
    html: reader.text('html'),
    headers: reader.headers(),
    attachments: reader.attachments(),
    category: reader.text('category', 255),
    customVariables: reader.customVariables(),
  };
  if (reader.errors.length > 0) throw unprocessable({ base: reader.errors });
  if (inbox.domainId === null) countHosted(world, inbox);
  const mail: Mail = {
    ...own,
    ...recipients,
    from: from.address,
    subject: prefixed(isForward ? 'Fwd:' : 'Re:', message.subject),
    headers: { ...own.headers, ...threading },
    ...(isForward && {
      text: [own.text, text].filter((part) => part !== null).join('\n\n') || null,
      html: own.html ?? html,
      attachments: [...own.attachments, ...attachments],
    }),
    ...NO_TEMPLATE,
  };
  return sendInThread(world, inbox, message.threadId, mail, from.domain, now);
}

/** Counts an answer from a hosted inbox. The account has a limited number of them, which never resets. */
function countHosted({ inbound, settings }: World, { accountId }: InboxRecord): void {
  const { maxHostedReplies } = settings.inbound;
  if (inbound.hostedReplies(accountId) >= maxHostedReplies) {
    const base = `The limit of ${maxHostedReplies} replies and forwards from hosted inboxes is reached`;
    throw unprocessable({ base: [base] });
  }
  inbound.countHostedReply(accountId);
}

function senderOf({ domains }: World, inbox: InboxRecord, reader: PartReader) {
  if (inbox.domainId === null) {
    if (reader.has('from')) throw unprocessable({ from: ['is not allowed for a hosted inbox'] });
    return { address: named(inbox.address), domain: hosted(inbox.accountId) };
  }
  const address = reader.address('from');
  if (!reader.has('from')) throw unprocessable({ from: ["can't be blank"] });
  const name = address?.email.slice(address.email.lastIndexOf('@') + 1) ?? '';
  const domain = domains.named(inbox.accountId, name);
  if (address === null || domain === undefined || !domains.isVerified(domain)) {
    throw unprocessable({ from: ['must be at a verified domain'] });
  }
  return { address, domain };
}

/** The recipients of an answer, unless the request names them. Without duplicates: a sender may be in `cc`, too. */
function recipientsOf(
  kind: Answer,
  inbox: InboxRecord,
  message: MessageRecord,
  { to, cc }: Pick<Mail, 'to' | 'cc'>,
): Pick<Mail, 'to' | 'cc'> {
  if (kind === 'forward') return { to, cc };
  const sender = named(message.replyTo ?? message.from);
  const main = to.length > 0 ? to : [sender];
  const known = new Set(main.map(({ email }) => email.toLowerCase()));
  const others = [...message.to, ...message.cc].map(named).filter(({ email }) => {
    const isNew = !known.has(email.toLowerCase()) && !isAt(inbox, email);
    known.add(email.toLowerCase());
    return isNew;
  });
  return { to: main, cc: kind === 'reply_all' && cc.length === 0 ? others : cc };
}

function sendInThread(
  world: World,
  inbox: InboxRecord,
  threadId: string,
  mail: Mail,
  domain: DomainRecord,
  now: number,
): string[] {
  const ids = send(world, mail, domain, 'transactional', now, threadId);
  const thread = world.inbound.thread(inbox, threadId);
  const records = ids.map((id) => world.logs.anywhere(id)).filter((record): record is LogRecord => !!record);
  thread?.entries.push(...records.map((sent) => ({ direction: 'outbound' as const, sent })));
  return ids;
}

/** The address at which an inbox received a message: for a catch-all, the recipient's. */
function receivedAt(inbox: InboxRecord, { to, cc, bcc }: MessageRecord): string {
  return [...to, ...cc, ...bcc].map(addressIn).find((address) => isAt(inbox, address)) ?? inbox.address;
}

/** Forwards a message by the rules of its inbox, once to each address, and stores the outcomes. */
export function forwardByRules(world: World, inbox: InboxRecord, message: MessageRecord, now: number): void {
  const own = inbox.domainId === null ? undefined : world.domains.anywhere(inbox.domainId);
  const reached = new Set<string>();
  for (const rule of world.inbound.rulesOf(inbox)) {
    if (!ruleMatches(rule, message)) continue;
    for (const destination of rule.destinations) {
      if (reached.has(destination.toLowerCase())) continue;
      reached.add(destination.toLowerCase());
      const isItself = isAt(inbox, destination);
      const mail: Mail = {
        ...contentOf(message),
        from: named(receivedAt(inbox, message)),
        to: [named(destination)],
        cc: [],
        bcc: [],
        subject: prefixed('Fwd:', message.subject),
        headers: { References: message.rfcId },
        category: null,
        customVariables: null,
        ...NO_TEMPLATE,
      };
      const [id = null] = isItself
        ? []
        : sendInThread(world, inbox, message.threadId, mail, own ?? hosted(inbox.accountId), now);
      message.forwards.push({
        rule_id: rule.id,
        rule_name: rule.name,
        destination,
        status: isItself ? 'rejected' : 'forwarded',
        reason: isItself ? 'The destination is the inbox itself' : null,
        message_id: id,
      });
    }
  }
}
