import { Refused } from './verdict.ts';

/** A message in a test inbox. */
export interface CapturedModel {
  readonly id: number;
  readonly to: string;
  readonly subject: string;
  readonly html: string | undefined;
  isRead: boolean;
}

/** A test inbox; its messages are oldest first. */
export interface InboxModel {
  readonly id: number;
  readonly projectId: number;
  name: string;
  hasAddress: boolean;
  password: string | null;
  sent: number;
  messages: CapturedModel[];
}

/** Projects, test inboxes and their messages, as the public reference describes them. */
export class SandboxModel {
  readonly projects = new Map<number, string>();
  readonly inboxes = new Map<number, InboxModel>();

  project(id: number): string {
    const name = this.projects.get(id);
    if (name === undefined) throw new Refused(404, 'NotFoundError');
    return name;
  }

  checkName(name: string): void {
    if (name.length < 2) throw new Refused(422, 'ValidationError', 1);
  }

  removeProject(id: number): void {
    this.project(id);
    this.projects.delete(id);
    for (const inbox of this.within(id)) this.inboxes.delete(inbox.id);
  }

  within(projectId: number): InboxModel[] {
    return [...this.inboxes.values()].filter((inbox) => inbox.projectId === projectId);
  }

  inbox(id: number): InboxModel {
    const inbox = this.inboxes.get(id);
    if (inbox === undefined) throw new Refused(404, 'NotFoundError');
    return inbox;
  }

  /** Sending to an inbox that does not exist is refused as if the token were wrong. */
  open(id: number): InboxModel {
    const inbox = this.inboxes.get(id);
    if (inbox === undefined) throw new Refused(401, 'AuthenticationError');
    return inbox;
  }

  message(inboxId: number, id: number): CapturedModel {
    const message = this.inbox(inboxId).messages.find((one) => one.id === id);
    if (message === undefined) throw new Refused(404, 'NotFoundError');
    return message;
  }

  html(inboxId: number, id: number): string {
    const { html } = this.message(inboxId, id);
    if (html === undefined) throw new Refused(409, 'NotFoundError');
    return html;
  }
}
