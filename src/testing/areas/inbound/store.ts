import type { FolderRecord, InboxRecord, MessageRecord, RuleRecord, ThreadRecord } from './record.ts';

/** The domain at which the service hosts inboxes. It is none of the account's sending domains. */
export const HOSTED_DOMAIN = { id: 1, name: 'inbound.emulator.test' };

/** The first id of a message or thread: no number in JavaScript can hold it. */
const FIRST_LONG_ID = 1_870_314_786_754_420_736n;

/** All folders, inboxes, messages, threads and rules. */
export class InboundStore {
  readonly #folders = new Map<number, FolderRecord>();
  readonly #inboxes = new Map<number, InboxRecord>();
  readonly #messages = new Map<string, MessageRecord>();
  readonly #threads = new Map<string, ThreadRecord>();
  readonly #rules = new Map<number, RuleRecord>();
  /** By account: how many replies and forwards were sent from hosted inboxes. */
  readonly #hostedReplies = new Map<number, number>();
  #nextId = 6001;
  #nextLongId = FIRST_LONG_ID;

  nextLongId(): string {
    this.#nextLongId += 4096n;
    return String(this.#nextLongId);
  }

  addFolder(accountId: number, name: string): FolderRecord {
    const folder = { id: this.#id(), accountId, name };
    this.#folders.set(folder.id, folder);
    return folder;
  }

  addInbox(fields: Omit<InboxRecord, 'id'>): InboxRecord {
    const inbox = { ...fields, id: this.#id() };
    this.#inboxes.set(inbox.id, inbox);
    return inbox;
  }

  addRule(fields: Omit<RuleRecord, 'id'>): RuleRecord {
    const rule = { ...fields, id: this.#id() };
    this.#rules.set(rule.id, rule);
    return rule;
  }

  addThread(inboxId: number, subject: string | null): ThreadRecord {
    const thread: ThreadRecord = { id: this.nextLongId(), inboxId, subject, entries: [] };
    this.#threads.set(thread.id, thread);
    return thread;
  }

  addMessage(message: MessageRecord): void {
    this.#messages.set(message.id, message);
  }

  folders(accountId: number): FolderRecord[] {
    return [...this.#folders.values()].filter((folder) => folder.accountId === accountId);
  }

  folder(accountId: number, id: number): FolderRecord | undefined {
    return this.folders(accountId).find((folder) => folder.id === id);
  }

  inboxes(folderId: number): InboxRecord[] {
    return [...this.#inboxes.values()].filter((inbox) => inbox.folderId === folderId);
  }

  inbox(accountId: number, id: number): InboxRecord | undefined {
    const inbox = this.#inboxes.get(id);
    return inbox?.accountId === accountId ? inbox : undefined;
  }

  /** How many inboxes an account has, in all its folders. */
  inboxCount(accountId: number): number {
    return [...this.#inboxes.values()].filter((inbox) => inbox.accountId === accountId).length;
  }

  /** How many replies and forwards an account has sent from hosted inboxes. */
  hostedReplies(accountId: number): number {
    return this.#hostedReplies.get(accountId) ?? 0;
  }

  countHostedReply(accountId: number): void {
    this.#hostedReplies.set(accountId, this.hostedReplies(accountId) + 1);
  }

  /** The inboxes that receive email at an address. */
  inboxesAt(address: string): InboxRecord[] {
    return [...this.#inboxes.values()].filter(
      (inbox) => inbox.address.toLowerCase() === address.toLowerCase(),
    );
  }

  /** The messages of an inbox, newest first. */
  messages(inboxId: number): MessageRecord[] {
    return [...this.#messages.values()].filter((message) => message.inboxId === inboxId).reverse();
  }

  message(inboxId: number, id: string): MessageRecord | undefined {
    const message = this.#messages.get(id);
    return message?.inboxId === inboxId ? message : undefined;
  }

  /** The message with this id, in any inbox. */
  anywhere(id: string): MessageRecord | undefined {
    return this.#messages.get(id);
  }

  /** The threads of an inbox, newest first. */
  threads(inboxId: number): ThreadRecord[] {
    return [...this.#threads.values()].filter((thread) => thread.inboxId === inboxId).reverse();
  }

  thread(inboxId: number, id: string): ThreadRecord | undefined {
    const thread = this.#threads.get(id);
    return thread?.inboxId === inboxId ? thread : undefined;
  }

  rules(inboxId: number): RuleRecord[] {
    return [...this.#rules.values()].filter((rule) => rule.inboxId === inboxId);
  }

  rule(inboxId: number, id: number): RuleRecord | undefined {
    return this.rules(inboxId).find((rule) => rule.id === id);
  }

  removeRule({ id }: RuleRecord): void {
    this.#rules.delete(id);
  }

  /** Removes a message; its thread keeps its place. */
  removeMessage(message: MessageRecord): void {
    message.isDeleted = true;
    this.#messages.delete(message.id);
  }

  /** Removes a thread with the messages that were received. Emails that were sent stay in the log, in no thread. */
  removeThread(thread: ThreadRecord): void {
    this.#threads.delete(thread.id);
    for (const entry of thread.entries) {
      if (entry.direction === 'inbound') this.removeMessage(entry.message);
      else entry.sent.mail = { ...entry.sent.mail, threadId: null };
    }
  }

  removeInbox(inbox: InboxRecord): void {
    this.#inboxes.delete(inbox.id);
    for (const thread of this.threads(inbox.id)) this.removeThread(thread);
    for (const rule of this.rules(inbox.id)) this.removeRule(rule);
  }

  removeFolder(folder: FolderRecord): void {
    this.#folders.delete(folder.id);
    for (const inbox of this.inboxes(folder.id)) this.removeInbox(inbox);
  }

  #id(): number {
    const id = this.#nextId;
    this.#nextId += 1;
    return id;
  }
}
