/** Test inboxes and inbound mail. May import emails, account and audience of the state. */
import { oneOf, positive, positiveOrInfinity } from '../../../declare/kind.ts';
import { writeEml } from '../emails/eml.ts';
import { type EmulatorLimit, limit } from '../account/limiter.ts';
import { option, type Options, type Settings } from '../../../declare/option.ts';
import type { Random } from '../base/random.ts';
import type { State } from '../base/state.ts';
import type { Streams } from '../base/streams.ts';
import { emptyTable, type Row, Table } from '../base/table.ts';
import type { Mail } from '../emails/mail.ts';

/** The unpublished behavior of test inboxes. */
export interface EmulatorSandboxOptions {
  /**
   * The limit of requests to send to each test inbox, as plans have one. Further requests get a 429. By default, there is
   * no limit.
   */
  limit?: EmulatorLimit;
  /**
   * The most projects of an account. Creating another gets 422.
   * @defaultValue Infinity
   */
  maxProjects?: number;
  /**
   * The most test inboxes of an account, as plans limit them. Creating another gets 422.
   * @defaultValue Infinity
   */
  maxInboxes?: number;
  /**
   * The most messages of a test inbox. It deletes the oldest first.
   * @defaultValue 10_000
   */
  maxSize?: number;
  /**
   * The response to a request for a part that a message does not have: `conflict` (409), as the public reference says, or
   * `not-found` (404).
   * @defaultValue 'conflict'
   */
  missingPart?: 'conflict' | 'not-found';
  /**
   * The blacklist report of a message: `report` is an object, as recorded; `none` is `false`, as some published clients of
   * the service expect.
   * @defaultValue 'report'
   */
  blacklistReport?: 'report' | 'none';
}

export type SandboxSettings = Settings<EmulatorSandboxOptions, 'limit'>;

export const sandboxOptions: Options<EmulatorSandboxOptions, 'limit'> = {
  limit: option(limit, undefined, 'depends on the plan'),
  maxProjects: option(positiveOrInfinity, Infinity, 'depends on the plan'),
  maxInboxes: option(positiveOrInfinity, Infinity, 'depends on the plan'),
  maxSize: option(positive, 10_000, 'not published'),
  missingPart: option(oneOf(['conflict', 'not-found']), 'conflict', 'the public reference'),
  blacklistReport: option(oneOf(['report', 'none']), 'report', 'recorded'),
};

/** A project. */
export interface ProjectRecord extends Row<number> {
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
}

/** A test inbox. */
export interface InboxRecord extends Row<number> {
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

/** The `Message-ID` header of a captured message. */
export const messageIdOf = ({ id, mail: { from } }: CapturedRecord) =>
  `<${id}@${from.email.slice(from.email.lastIndexOf('@') + 1)}>`;

const PROJECT_NAME = 'Test inboxes';

/** The parts that test inboxes need. */
export interface InboxParts {
  readonly state: State;
  readonly settings: { readonly sandbox: SandboxSettings };
  readonly streams: Streams;
}

/** All test inboxes, their projects, and the messages in them. */
export class InboxStore extends Table<InboxRecord> {
  readonly projects: Table<ProjectRecord>;
  /** By inbox, then by id. */
  readonly #messages: Map<number, Map<number, CapturedRecord>>;
  /** A cache of raw messages. */
  readonly #raw = new WeakMap<CapturedRecord, Uint8Array<ArrayBuffer>>();
  readonly #random: Random;
  readonly #maxSize: number;

  constructor({ state, settings, streams }: InboxParts, firstId: number) {
    super(state.part('test inboxes', emptyTable<InboxRecord>(firstId)));
    this.projects = new Table(state.part('projects', emptyTable<ProjectRecord>(3001)));
    this.#messages = state.part('captured', new Map<number, Map<number, CapturedRecord>>());
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

  /** Adds an inbox to a project. By default, to the account's first project. */
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

  /** The raw message (RFC 5322), as it was captured. */
  rawOf(message: CapturedRecord): Uint8Array<ArrayBuffer> {
    const { id, mail, at } = message;
    const raw = this.#raw.get(message) ?? writeEml(mail, { id, sentAt: at, messageId: messageIdOf(message) });
    this.#raw.set(message, raw);
    return raw;
  }

  /** Adds a message to an inbox, and deletes the oldest messages over the limit. */
  capture(inbox: InboxRecord, id: number, mail: Mail, at: number): void {
    const messages = this.messagesOf(inbox);
    messages.set(id, { id, inboxId: inbox.id, mail, at, updatedAt: at, isRead: false });
    inbox.sentCount += 1;
    inbox.lastMessageAt = at;
    const [oldest] = messages.keys();
    if (messages.size > this.#maxSize && oldest !== undefined) messages.delete(oldest);
  }

  #credentials(): Pick<InboxRecord, 'username' | 'password'> {
    return { username: this.#random.hex(14), password: this.#random.hex(14) };
  }

  #address(): string {
    return `inbox-${this.#random.hex(6)}`;
  }
}
