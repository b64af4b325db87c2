import { duration, positive, positiveOrInfinity } from '../../../declare/kind.ts';
import { option, type Options, type Settings } from '../../../declare/option.ts';
import type { State } from '../base/state.ts';
import { emptyTable, type Ids, type Row, Table } from '../base/table.ts';
import type { LogRecord } from '../emails/email-log.ts';
import type { EmulatorAttachment } from '../emails/mail.ts';

/** The unpublished behavior of inbound mail. */
export interface EmulatorInboundOptions {
  /**
   * The number of messages or threads on a page.
   * @defaultValue 50
   */
  pageSize?: number;
  /**
   * How long a link to a raw message or an attachment is valid, in milliseconds.
   * @defaultValue 3_600_000
   */
  fileUrlMs?: number;
  /**
   * The most inboxes of an account.
   * @defaultValue 300
   */
  maxInboxes?: number;
  /**
   * The most replies and forwards of an account from hosted inboxes, in total. Forwards by rules do not count.
   * @defaultValue 20
   */
  maxHostedReplies?: number;
}

export type InboundSettings = Settings<EmulatorInboundOptions>;

export const inboundOptions: Options<EmulatorInboundOptions> = {
  pageSize: option(positive, 50, 'not published'),
  fileUrlMs: option(duration, 3_600_000, 'the public reference'),
  maxInboxes: option(positiveOrInfinity, 300, 'the public reference'),
  maxHostedReplies: option(positiveOrInfinity, 20, 'the public reference'),
};

/** A folder of inboxes. */
export interface FolderRecord extends Row<number> {
  name: string;
}

/** An inbox. */
export interface InboxRecord extends Row<number> {
  readonly folderId: number;
  /** Its address. At an own domain, it is `*@domain`: a catch-all. */
  readonly address: string;
  /** Its domain; `null` if the service hosts it. */
  readonly domainId: number | null;
  name: string;
}

/** The outcome of a rule for a message. */
export interface ForwardOutcome {
  readonly rule_id: number;
  readonly rule_name: string;
  readonly destination: string;
  readonly status: 'forwarded' | 'rejected';
  readonly reason: string | null;
  readonly message_id: string | null;
}

/** A message that an inbox received. */
export interface MessageRecord extends Row<string> {
  readonly inboxId: number;
  readonly threadId: string;
  readonly receivedAt: number;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: string | null;
  readonly subject: string | null;
  readonly rfcId: string;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly EmulatorAttachment[];
  readonly forwards: ForwardOutcome[];
  isDeleted: boolean;
}

/** A message of a thread: a received message, or a sent email. */
export type ThreadEntry =
  | { readonly direction: 'inbound'; readonly message: MessageRecord }
  | { readonly direction: 'outbound'; readonly sent: LogRecord };

/** A conversation. */
export interface ThreadRecord extends Row<string> {
  readonly inboxId: number;
  readonly subject: string | null;
  /** Oldest first. */
  readonly entries: ThreadEntry[];
}

/** A condition of a rule. */
export interface RuleCondition {
  readonly match_type: string;
  readonly operator: string;
  readonly value: string | null;
  readonly header_key: string | null;
}

/** A rule that forwards messages. */
export interface RuleRecord extends Row<number> {
  readonly inboxId: number;
  readonly createdAt: number;
  updatedAt: number;
  name: string;
  conditions: readonly RuleCondition[];
  destinations: readonly string[];
}

/** Whether email to an address reaches an inbox. A catch-all has every name at its domain. */
export function isAt({ address: own }: Pick<InboxRecord, 'address'>, address: string): boolean {
  const [wanted, given] = [own.toLowerCase(), address.toLowerCase()];
  return wanted.startsWith('*@') ? given.endsWith(wanted.slice(1)) : given === wanted;
}

/** The service's domain for hosted inboxes. It is not a sending domain of an account. */
export const HOSTED_DOMAIN = { id: 1, name: 'inbound.emulator.test' };

/** The first id of a message or thread. It exceeds the safe integers of JavaScript. */
const FIRST_LONG_ID = 1_870_314_786_754_420_736n;

/** All folders, inboxes, messages, threads and rules. */
export class InboundStore {
  readonly folders: Table<FolderRecord>;
  readonly inboxes: Table<InboxRecord>;
  readonly rules: Table<RuleRecord>;
  readonly messages: Table<MessageRecord>;
  readonly threads: Table<ThreadRecord>;
  readonly #state: { lastLongId: bigint; readonly hostedReplies: Map<number, number> };

  constructor(state: State) {
    const ids: Ids = { next: 6001 };
    this.folders = new Table(state.part('inbound folders', emptyTable<FolderRecord>(1, ids)));
    this.inboxes = new Table(state.part('inbound inboxes', emptyTable<InboxRecord>(1, ids)));
    this.rules = new Table(state.part('inbound rules', emptyTable<RuleRecord>(1, ids)));
    this.messages = new Table(state.part('inbound messages', emptyTable<MessageRecord>()));
    this.threads = new Table(state.part('inbound threads', emptyTable<ThreadRecord>()));
    // By account: how many replies and forwards were sent from hosted inboxes.
    const hostedReplies = new Map<number, number>();
    this.#state = state.part('inbound', { lastLongId: FIRST_LONG_ID, hostedReplies });
  }

  nextLongId(): string {
    this.#state.lastLongId += 4096n;
    return String(this.#state.lastLongId);
  }

  addThread({ id: inboxId, accountId }: InboxRecord, subject: string | null): ThreadRecord {
    return this.threads.put({ id: this.nextLongId(), accountId, inboxId, subject, entries: [] });
  }

  inboxesIn({ id, accountId }: FolderRecord): InboxRecord[] {
    return this.inboxes.of(accountId).filter(({ folderId }) => folderId === id);
  }

  /** How many replies and forwards an account has sent from hosted inboxes. */
  hostedReplies(accountId: number): number {
    return this.#state.hostedReplies.get(accountId) ?? 0;
  }

  countHostedReply(accountId: number): void {
    this.#state.hostedReplies.set(accountId, this.hostedReplies(accountId) + 1);
  }

  /** The inboxes that an email to an address reaches. */
  inboxesAt(address: string): InboxRecord[] {
    return this.inboxes.all().filter((inbox) => isAt(inbox, address));
  }

  /** The messages of an inbox, newest first. */
  messagesIn({ id, accountId }: InboxRecord): MessageRecord[] {
    return this.messages.newestOf(accountId).filter(({ inboxId }) => inboxId === id);
  }

  message({ id: inboxId, accountId }: InboxRecord, id: string): MessageRecord | undefined {
    const message = this.messages.find(accountId, id);
    return message?.inboxId === inboxId ? message : undefined;
  }

  /** The threads of an inbox, newest first. */
  threadsIn({ id, accountId }: InboxRecord): ThreadRecord[] {
    return this.threads.newestOf(accountId).filter(({ inboxId }) => inboxId === id);
  }

  thread({ id: inboxId, accountId }: InboxRecord, id: string): ThreadRecord | undefined {
    const thread = this.threads.find(accountId, id);
    return thread?.inboxId === inboxId ? thread : undefined;
  }

  rulesOf({ id, accountId }: InboxRecord): RuleRecord[] {
    return this.rules.of(accountId).filter(({ inboxId }) => inboxId === id);
  }

  rule({ id: inboxId, accountId }: InboxRecord, id: number): RuleRecord | undefined {
    const rule = this.rules.find(accountId, id);
    return rule?.inboxId === inboxId ? rule : undefined;
  }

  /** Removes a message. Its thread keeps the entry. */
  removeMessage(message: MessageRecord): void {
    message.isDeleted = true;
    this.messages.remove(message);
  }

  /** Removes a thread and its received messages. Its sent emails stay in the log, without a thread. */
  removeThread(thread: ThreadRecord): void {
    this.threads.remove(thread);
    for (const entry of thread.entries) {
      if (entry.direction === 'inbound') this.removeMessage(entry.message);
      else entry.sent.mail = { ...entry.sent.mail, threadId: null };
    }
  }

  removeInbox(inbox: InboxRecord): void {
    this.inboxes.remove(inbox);
    for (const thread of this.threadsIn(inbox)) this.removeThread(thread);
    for (const rule of this.rulesOf(inbox)) this.rules.remove(rule);
  }

  removeFolder(folder: FolderRecord): void {
    this.folders.remove(folder);
    for (const inbox of this.inboxesIn(folder)) this.removeInbox(inbox);
  }
}
