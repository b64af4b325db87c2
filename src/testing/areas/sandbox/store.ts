import type { Random } from '../../random.ts';
import type { Mail } from '../sending/mail.ts';

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
  /** Its messages by id, oldest first. */
  readonly messages: Map<number, CapturedRecord>;
}

const PROJECT_NAME = 'Test inboxes';

/** All projects, test inboxes and the messages in them. */
export class InboxStore {
  readonly #projects = new Map<number, ProjectRecord>();
  readonly #inboxes = new Map<number, InboxRecord>();
  readonly #random: Random;
  readonly #maxSize: number;
  #nextProjectId = 3001;
  #nextId: number;

  constructor(firstId: number, random: Random, maxSize: number) {
    this.#nextId = firstId;
    this.#random = random;
    this.#maxSize = maxSize;
  }

  addProject(accountId: number, name: string): ProjectRecord {
    const project = { id: this.#nextProjectId, accountId, name, shareKey: this.#random.hex(24) };
    this.#nextProjectId += 1;
    this.#projects.set(project.id, project);
    return project;
  }

  projects(accountId: number): ProjectRecord[] {
    return [...this.#projects.values()].filter((project) => project.accountId === accountId);
  }

  findProject(accountId: number, id: number): ProjectRecord | undefined {
    const project = this.#projects.get(id);
    return project?.accountId === accountId ? project : undefined;
  }

  /** Removes a project with its inboxes. */
  removeProject(project: ProjectRecord): void {
    for (const inbox of this.within(project)) this.remove(inbox);
    this.#projects.delete(project.id);
  }

  /** Adds an inbox; without a project, to the account's first one. */
  add(accountId: number, project?: ProjectRecord, name?: string): InboxRecord {
    const { id: projectId } =
      project ?? this.projects(accountId)[0] ?? this.addProject(accountId, PROJECT_NAME);
    const id = this.#nextId;
    this.#nextId += 1;
    const inbox: InboxRecord = {
      id,
      accountId,
      projectId,
      name: name ?? `Inbox ${id}`,
      ...this.#credentials(),
      emailUsername: this.#address(),
      hasAddress: true,
      sentCount: 0,
      forwardedCount: 0,
      lastMessageAt: null,
      messages: new Map(),
    };
    this.#inboxes.set(id, inbox);
    return inbox;
  }

  of(accountId: number): InboxRecord[] {
    return [...this.#inboxes.values()].filter((inbox) => inbox.accountId === accountId);
  }

  within({ id }: ProjectRecord): InboxRecord[] {
    return [...this.#inboxes.values()].filter(({ projectId }) => projectId === id);
  }

  find(accountId: number, id: number): InboxRecord | undefined {
    const inbox = this.#inboxes.get(id);
    return inbox?.accountId === accountId ? inbox : undefined;
  }

  /** The inbox with this id, whoever it belongs to. */
  anywhere(id: number): InboxRecord | undefined {
    return this.#inboxes.get(id);
  }

  remove({ id }: InboxRecord): void {
    this.#inboxes.delete(id);
  }

  resetCredentials(inbox: InboxRecord): void {
    Object.assign(inbox, this.#credentials());
  }

  resetAddress(inbox: InboxRecord): void {
    inbox.emailUsername = this.#address();
  }

  /** Adds a message to an inbox, and deletes the oldest if there are too many. */
  capture(inbox: InboxRecord, id: number, mail: Mail, at: number): void {
    inbox.messages.set(id, { id, inboxId: inbox.id, mail, at, updatedAt: at, isRead: false });
    inbox.sentCount += 1;
    inbox.lastMessageAt = at;
    const [oldest] = inbox.messages.keys();
    if (inbox.messages.size > this.#maxSize && oldest !== undefined) inbox.messages.delete(oldest);
  }

  #credentials(): Pick<InboxRecord, 'username' | 'password'> {
    return { username: this.#random.hex(14), password: this.#random.hex(14) };
  }

  #address(): string {
    return `inbox-${this.#random.hex(6)}`;
  }
}
