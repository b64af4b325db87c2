import type { EmailPlatform } from 'email-platform';
import { Refused } from './verdict.ts';

export interface InboxModel {
  readonly id: number;
  readonly folderId: number;
  /** Of an inbox at a domain of the account: `*@` and the domain. */
  readonly address: string;
  /** Whether its address is at a domain of the service, not of the account. */
  readonly isHosted: boolean;
  name: string;
}

/** A message that an inbox received. */
export interface ReceivedModel {
  readonly id: string;
  readonly inboxId: number;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly replyTo: string | null;
  readonly subject: string;
  readonly rfcId: string;
  readonly inReplyTo: string | null;
  readonly kind: string | undefined;
  readonly receivedAt: number;
  readonly thread: ThreadModel;
  /** The forwards by rules: rule and address. */
  readonly forwards: readonly string[];
  isRemoved: boolean;
}

/** An email that was sent. It belongs to one thread or none. */
export interface SentModel {
  readonly id: string;
  readonly rfcId: string;
  readonly to: string;
  readonly subject: string;
  readonly sentAt: number;
  /** Undefined if the reference does not say. */
  readonly inReplyTo: string | null | undefined;
  thread: ThreadModel | null;
}

export interface ThreadModel {
  readonly id: string;
  readonly inboxId: number;
  /** Oldest first. */
  readonly entries: (ReceivedModel | SentModel)[];
}

export interface RuleModel {
  readonly id: number;
  readonly inboxId: number;
  name: string;
  conditions: readonly EmailPlatform.ForwardRuleCondition[];
  destinations: readonly string[];
}

/** An incoming email, before its delivery to inboxes. */
export type Incoming = Pick<
  ReceivedModel,
  'from' | 'to' | 'cc' | 'replyTo' | 'subject' | 'rfcId' | 'inReplyTo' | 'kind'
>;

export const isReceived = (entry: ReceivedModel | SentModel): entry is ReceivedModel => 'receivedAt' in entry;
export const addressOf = (mailbox: string): string => /<(.+)>/.exec(mailbox)?.[1] ?? mailbox;

/** Whether email to an address reaches an inbox: at a domain of the account, whatever the name is. */
export const reaches = ({ address, isHosted }: InboxModel, to: string): boolean =>
  isHosted ? to === address : to.split('@')[1] === address.split('@')[1];

type Comparison = (text: string, value: string) => boolean;
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  equal: (text, value) => text === value,
  not_equal: (text, value) => text !== value,
  contains: (text, value) => text.includes(value),
  starts_with: (text, value) => text.startsWith(value),
  ends_with: (text, value) => text.endsWith(value),
  empty: (text) => text === '',
  not_empty: (text) => text !== '',
};

/** Folders, inboxes, what they receive and what is answered, as the public reference describes them. */
export class InboundModel {
  readonly folders = new Map<number, string>();
  readonly inboxes = new Map<number, InboxModel>();
  readonly rules = new Map<number, RuleModel>();
  readonly threads = new Map<string, ThreadModel>();
  /** All messages ever received, oldest first. */
  readonly received: ReceivedModel[] = [];
  readonly sent: SentModel[] = [];
  /** Replies and forwards from inboxes that the service hosts. */
  hostedAnswers = 0;

  folder(id: number): string {
    return orMissing(this.folders.get(id));
  }

  /** The inboxes that an email to some addresses reaches, in the order of the addresses. */
  receiving(addresses: readonly string[]): InboxModel[] {
    const all = [...this.inboxes.values()];
    return [...new Set(addresses.flatMap((to) => all.filter((inbox) => reaches(inbox, to))))];
  }

  inbox(id: number): InboxModel {
    return orMissing(this.inboxes.get(id));
  }

  inboxIn(folderId: number, id: number): InboxModel {
    this.folder(folderId);
    const inbox = this.inbox(id);
    return orMissing(inbox.folderId === folderId ? inbox : undefined);
  }

  rule(inboxId: number, id: number): RuleModel {
    this.inbox(inboxId);
    const rule = orMissing(this.rules.get(id));
    return orMissing(rule.inboxId === inboxId ? rule : undefined);
  }

  /** Newest first. */
  messages(inboxId: number): ReceivedModel[] {
    this.inbox(inboxId);
    return this.received.filter((one) => one.inboxId === inboxId && !one.isRemoved).reverse();
  }

  message(inboxId: number, id: string): ReceivedModel {
    return orMissing(this.messages(inboxId).find((one) => one.id === id));
  }

  /** The messages after a cursor, even if the message of the cursor was deleted: the next page has older ones. */
  messagesAfter(inboxId: number, cursor: ReceivedModel): ReceivedModel[] {
    const older = new Set(this.received.slice(0, this.received.indexOf(cursor)));
    return this.messages(inboxId).filter((one) => older.has(one));
  }

  threadsOf(inboxId: number): ThreadModel[] {
    this.inbox(inboxId);
    return [...this.threads.values()].filter((one) => one.inboxId === inboxId);
  }

  thread(inboxId: number, id: string): ThreadModel {
    return orMissing(this.threadsOf(inboxId).find((one) => one.id === id));
  }

  rulesOf(inboxId: number): RuleModel[] {
    this.inbox(inboxId);
    return [...this.rules.values()].filter((one) => one.inboxId === inboxId);
  }

  /** An inbox has five rules at most. */
  checkRoomForRule(inboxId: number): void {
    if (this.rulesOf(inboxId).length >= 5) throw new Refused(422, 'ValidationError', 1);
  }

  /** An account answers twenty times at most from inboxes that the service hosts. */
  countAnswer({ isHosted }: InboxModel): void {
    if (!isHosted) return;
    if (this.hostedAnswers >= 20) throw new Refused(422, 'ValidationError', 1);
    this.hostedAnswers += 1;
  }

  /** Deletes an inbox with what is in it. */
  removeInbox({ id }: InboxModel): void {
    for (const thread of this.threadsOf(id)) this.removeThread(thread);
    for (const rule of this.rulesOf(id)) this.rules.delete(rule.id);
    this.inboxes.delete(id);
  }

  /** Deletes a thread with the messages that were received; emails that were sent stay, and are in no thread. */
  removeThread(thread: ThreadModel): void {
    this.threads.delete(thread.id);
    for (const entry of thread.entries) {
      if (isReceived(entry)) entry.isRemoved = true;
      else entry.thread = null;
    }
  }

  /** The thread of an inbox that has the message or the email which is answered. */
  continued(inboxId: number, inReplyTo: string | null): ThreadModel | undefined {
    if (inReplyTo === null) return undefined;
    return this.threadsOf(inboxId).find(({ entries }) => entries.some(({ rfcId }) => rfcId === inReplyTo));
  }

  /** Adds what an inbox received, to the thread that it continues or to a new one, which an email it answers is in, too. */
  arrived(inboxId: number, id: string, threadId: string, mail: Incoming, now: number): ReceivedModel {
    const thread = this.continued(inboxId, mail.inReplyTo) ?? this.#begun(inboxId, threadId, mail.inReplyTo);
    const forwards = this.forwards(inboxId, mail).map(([rule, to]) => `${rule.id} ${to}`);
    const message = { ...mail, id, inboxId, thread, forwards, receivedAt: now, isRemoved: false };
    this.received.push(message);
    thread.entries.push(message);
    return message;
  }

  /** Recipients of the rules of an inbox for a message: an address that several rules name gets one copy, by the first. */
  forwards(inboxId: number, mail: Incoming): (readonly [rule: RuleModel, to: string])[] {
    const meeting = this.rulesOf(inboxId).filter(({ conditions }) =>
      conditions.every((one) => meets(mail, one)),
    );
    const all = meeting.flatMap((rule) => rule.destinations.map((to) => [rule, to] as const));
    return all.filter(([, to], index) => all.findIndex(([, other]) => other === to) === index);
  }

  /** Adds an email that was sent. */
  posted(email: SentModel): void {
    this.sent.push(email);
    email.thread?.entries.push(email);
  }

  /** The recipients of a reply: the sender; for a reply to all, also every other recipient, without duplicates. */
  recipients(kind: 'reply' | 'replyAll', inbox: InboxModel, message: ReceivedModel): string[] {
    const sender = addressOf(message.replyTo ?? message.from);
    const others = kind === 'reply' ? [] : [...message.to, ...message.cc].map(addressOf);
    return [...new Set([sender, ...others.filter((one) => !reaches(inbox, one))])];
  }

  /** The sender of an answer is that of a hosted inbox; at a domain of one's own, the request says. */
  checkSender({ isHosted }: InboxModel, sender: 'own' | 'unverified' | undefined): void {
    if (isHosted !== (sender === undefined)) throw new Refused(422, 'ValidationError');
    if (sender === 'unverified') throw new Refused([401, 403, 422]);
  }

  #begun(inboxId: number, id: string, inReplyTo: string | null): ThreadModel {
    const thread: ThreadModel = { id, inboxId, entries: [] };
    this.threads.set(id, thread);
    const answered = this.sent.find(({ rfcId }) => rfcId === inReplyTo);
    if (answered?.thread === null) {
      answered.thread = thread;
      thread.entries.push(answered);
    }
    return thread;
  }
}

function meets({ from, to, cc, kind }: Incoming, condition: EmailPlatform.ForwardRuleCondition): boolean {
  const compare = (text: string) => COMPARISONS[condition.operator]?.(text, condition.value ?? '') ?? false;
  if (condition.match_type === 'sender') return compare(addressOf(from));
  if (condition.match_type === 'recipient') return [...to, ...cc].some((one) => compare(addressOf(one)));
  return compare(kind ?? '');
}

function orMissing<T>(found: T | undefined): T {
  if (found === undefined) throw new Refused(404, 'NotFoundError');
  return found;
}
