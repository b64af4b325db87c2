import { check } from '../../checks/argument.ts';
import { anything, mapOf, objectOf, textLike, wholeFrom } from '../../checks/kind.ts';
import type { ReadValues, SharedValues } from '../../shared.ts';
import { Table, type Ids } from '../../table.ts';
import type { LogStore } from '../email-logs/store.ts';
import * as kinds from './kinds.ts';
import type { FolderRecord, InboxRecord, MessageRecord, RuleRecord, ThreadRecord } from './record.ts';
import { readThread, writtenThread } from './saved-thread.ts';

/** The domain at which the service hosts inboxes. It is none of the account's sending domains. */
export const HOSTED_DOMAIN = { id: 1, name: 'inbound.emulator.test' };

/** The first id of a message or thread: no number in JavaScript can hold it. */
const FIRST_LONG_ID = 1_870_314_786_754_420_736n;

const saved = objectOf<Record<string, unknown>>({
  folders: anything,
  inboxes: anything,
  messages: anything,
  threads: anything,
  rules: anything,
  hostedReplies: mapOf(wholeFrom(0)),
  nextLongId: textLike('a whole number, as a string', (given) => /^\d+$/.test(given)),
});

/** All folders, inboxes, messages, threads and rules. */
export class InboundStore {
  readonly #ids: Ids = { next: 6001 };
  readonly folders = new Table<FolderRecord>({ kind: kinds.folder, ids: this.#ids });
  readonly inboxes = new Table<InboxRecord>({ kind: kinds.inbox, ids: this.#ids });
  readonly rules = new Table<RuleRecord>({ kind: kinds.rule, ids: this.#ids });
  readonly messages = new Table<MessageRecord>({ kind: kinds.message });
  readonly threads = new Table<ThreadRecord>({ kind: anything });
  /** By account: how many replies and forwards were sent from hosted inboxes. */
  readonly #hostedReplies = new Map<number, number>();
  #nextLongId = FIRST_LONG_ID;

  nextLongId(): string {
    this.#nextLongId += 4096n;
    return String(this.#nextLongId);
  }

  addThread({ id: inboxId, accountId }: InboxRecord, subject: string | null): ThreadRecord {
    return this.threads.put({ id: this.nextLongId(), accountId, inboxId, subject, entries: [] });
  }

  inboxesIn({ id, accountId }: FolderRecord): InboxRecord[] {
    return this.inboxes.of(accountId).filter(({ folderId }) => folderId === id);
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

  save(logs: LogStore, shared: SharedValues): Record<string, unknown> {
    return {
      folders: this.folders.save(),
      inboxes: this.inboxes.save(),
      messages: this.messages.save(),
      threads: this.threads.all().map((thread) => writtenThread(thread, this.messages, logs, shared)),
      rules: this.rules.save(),
      hostedReplies: Object.fromEntries(this.#hostedReplies),
      nextLongId: String(this.#nextLongId),
    };
  }

  /** The log must be loaded before: threads have messages of it. */
  load(given: unknown, name: string, logs: LogStore, shared: ReadValues): void {
    check(saved, given, name);
    const fields = given as Record<string, never>;
    for (const table of ['folders', 'inboxes', 'messages', 'rules'] as const) {
      this[table].load(fields[table], `${name}.${table}`);
    }
    check(kinds.threads, fields.threads, `${name}.threads`);
    for (const thread of fields.threads as unknown as never[]) {
      this.threads.put(readThread(thread, this.messages, logs, shared));
    }
    for (const [id, count] of Object.entries<number>(fields.hostedReplies as never)) {
      this.#hostedReplies.set(Number(id), count);
    }
    this.#nextLongId = BigInt(fields.nextLongId as never);
  }
}
