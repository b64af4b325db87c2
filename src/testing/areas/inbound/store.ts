import type { State } from '../../state.ts';
import { emptyTable, Table, type Ids } from '../../table.ts';
import type { FolderRecord, InboxRecord, MessageRecord, RuleRecord, ThreadRecord } from './record.ts';

/** The domain at which the service hosts inboxes. It is none of the account's sending domains. */
export const HOSTED_DOMAIN = { id: 1, name: 'inbound.emulator.test' };

/** The first id of a message or thread: no number in JavaScript can hold it. */
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

  /** The inboxes that receive email at an address. */
  inboxesAt(address: string): InboxRecord[] {
    return this.inboxes.all().filter((inbox) => inbox.address.toLowerCase() === address.toLowerCase());
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

  /** Removes a message; its thread keeps its place. */
  removeMessage(message: MessageRecord): void {
    message.isDeleted = true;
    this.messages.remove(message);
  }

  /** Removes a thread with the messages that were received. Emails that were sent stay in the log, in no thread. */
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
