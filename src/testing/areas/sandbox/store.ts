import { check } from '../../checks/argument.ts';
import { anything, arrayOf, flag, recordOf, or, positive, text, time, wholeFrom } from '../../checks/kind.ts';
import type { Random } from '../../random.ts';
import type { ReadValues, SharedValues } from '../../shared.ts';
import type { Streams } from '../../streams.ts';
import { Table, type SavedTable } from '../../table.ts';
import { readContent } from '../email-logs/saved.ts';
import type { Mail } from '../sending/mail.ts';
import type { SandboxSettings } from './options.ts';

/** A project. */
export interface ProjectRecord {
  readonly id: number;
  readonly accountId: number;
  readonly shareKey: string;
  name: string;
}

/** A message in a test inbox. */
export interface CapturedRecord {
  readonly id: number;
  readonly inboxId: number;
  readonly mail: Mail;
  readonly at: number;
  updatedAt: number;
  isRead: boolean;
  /** The raw message, once somebody has asked for it. */
  eml?: Uint8Array<ArrayBuffer>;
}

/** A test inbox. */
export interface InboxRecord {
  readonly id: number;
  readonly accountId: number;
  readonly projectId: number;
  name: string;
  username: string;
  password: string;
  emailUsername: string;
  hasAddress: boolean;
  sentCount: number;
  forwardedCount: number;
  lastMessageAt: number | null;
}

const project = recordOf<ProjectRecord>({ id: positive, accountId: positive, shareKey: text, name: text });
const inboxKind = recordOf<InboxRecord>({
  id: positive,
  accountId: positive,
  projectId: positive,
  name: text,
  username: text,
  password: text,
  emailUsername: text,
  hasAddress: flag,
  sentCount: wholeFrom(0),
  forwardedCount: wholeFrom(0),
  lastMessageAt: or(time, null),
});

/** A message as a snapshot has it: its email is the number of a shared value. */
type SavedCaptured = Omit<CapturedRecord, 'mail' | 'eml'> & { readonly mail: number };

interface SavedInboxes {
  readonly inboxes: SavedTable<InboxRecord>;
  readonly projects: SavedTable<ProjectRecord>;
  readonly messages: readonly SavedCaptured[];
}

const savedMessages = arrayOf(
  'messages',
  recordOf<SavedCaptured>({
    id: positive,
    inboxId: positive,
    mail: wholeFrom(0),
    at: time,
    updatedAt: time,
    isRead: flag,
  }),
);

const PROJECT_NAME = 'Test inboxes';

/** What test inboxes depend on. */
export interface InboxParts {
  readonly settings: { readonly sandbox: SandboxSettings };
  readonly streams: Streams;
}

/** All test inboxes, their projects, and the messages in them. */
export class InboxStore extends Table<InboxRecord> {
  readonly projects = new Table<ProjectRecord>({ kind: project, firstId: 3001 });
  readonly #messages = new Map<number, Map<number, CapturedRecord>>();
  readonly #random: Random;
  readonly #maxSize: number;

  constructor({ settings, streams }: InboxParts, firstId: number) {
    super({ kind: inboxKind, firstId });
    this.#random = streams.of('sandbox');
    this.#maxSize = settings.sandbox.maxSize;
  }

  addProject(accountId: number, name: string): ProjectRecord {
    return this.projects.insert({ accountId, name, shareKey: this.#random.hex(24) });
  }

  /** Removes a project with its inboxes. */
  removeProject(project: ProjectRecord): void {
    for (const inbox of this.within(project)) this.remove(inbox);
    this.projects.remove(project);
  }

  /** Adds an inbox; without a project, to the account's first one. */
  add(accountId: number, project?: ProjectRecord, name?: string): InboxRecord {
    const { id: projectId } =
      project ?? this.projects.of(accountId)[0] ?? this.addProject(accountId, PROJECT_NAME);
    return this.insert({
      accountId,
      projectId,
      name: name ?? `Inbox ${this.nextId}`,
      ...this.#credentials(),
      emailUsername: this.#address(),
      hasAddress: true,
      sentCount: 0,
      forwardedCount: 0,
      lastMessageAt: null,
    });
  }

  within({ id, accountId }: ProjectRecord): InboxRecord[] {
    return this.of(accountId).filter(({ projectId }) => projectId === id);
  }

  override remove(inbox: InboxRecord): void {
    super.remove(inbox);
    this.#messages.delete(inbox.id);
  }

  resetCredentials(inbox: InboxRecord): void {
    Object.assign(inbox, this.#credentials());
  }

  resetAddress(inbox: InboxRecord): void {
    inbox.emailUsername = this.#address();
  }

  /** The messages of an inbox by id, oldest first. */
  messagesOf({ id }: Pick<InboxRecord, 'id'>): Map<number, CapturedRecord> {
    const known = this.#messages.get(id) ?? new Map<number, CapturedRecord>();
    this.#messages.set(id, known);
    return known;
  }

  /** Adds a message to an inbox, and deletes the oldest if there are too many. */
  capture(inbox: InboxRecord, id: number, mail: Mail, at: number): void {
    const messages = this.messagesOf(inbox);
    messages.set(id, { id, inboxId: inbox.id, mail, at, updatedAt: at, isRead: false });
    inbox.sentCount += 1;
    inbox.lastMessageAt = at;
    const [oldest] = messages.keys();
    if (messages.size > this.#maxSize && oldest !== undefined) messages.delete(oldest);
  }

  saveAll(shared: SharedValues): SavedInboxes {
    const messages = [...this.#messages.values()].flatMap((own) => [...own.values()]);
    return {
      inboxes: this.save(),
      projects: this.projects.save(),
      messages: messages.map(({ id, inboxId, mail, at, updatedAt, isRead }) => {
        const number = shared.numberOf(mail, (content) => content);
        return { id, inboxId, mail: number, at, updatedAt, isRead };
      }),
    };
  }

  loadAll(saved: unknown, name: string, shared: ReadValues): void {
    check(
      recordOf<Record<keyof SavedInboxes, unknown>>({
        inboxes: anything,
        projects: anything,
        messages: savedMessages,
      }),
      saved,
      name,
    );
    const { inboxes, projects, messages } = saved as SavedInboxes;
    this.load(inboxes, `${name}.inboxes`);
    this.projects.load(projects, `${name}.projects`);
    for (const message of messages) {
      const mail = shared.at(message.mail, readContent);
      this.messagesOf({ id: message.inboxId }).set(message.id, { ...message, mail });
    }
  }

  #credentials(): Pick<InboxRecord, 'username' | 'password'> {
    return { username: this.#random.hex(14), password: this.#random.hex(14) };
  }

  #address(): string {
    return `inbox-${this.#random.hex(6)}`;
  }
}
