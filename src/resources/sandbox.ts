import type { Clock } from '../core/clock.ts';
import type { Execute } from '../core/request.ts';
import { Resource } from './resource.ts';
import { SandboxAttachments } from './sandbox-attachments.ts';
import { SandboxInboxes } from './sandbox-inboxes.ts';
import { SandboxMessages } from './sandbox-messages.ts';
import { SandboxProjects } from './sandbox-projects.ts';

/**
 * The sandbox: test inboxes, which capture emails instead of delivering them, and the messages in them. What is sent
 * with the stream `sandbox` arrives there.
 */
export class Sandbox extends Resource {
  readonly #clock: Clock;
  #projects: SandboxProjects | undefined;
  #inboxes: SandboxInboxes | undefined;
  #messages: SandboxMessages | undefined;
  #attachments: SandboxAttachments | undefined;

  /** @internal */
  constructor(execute: Execute, clock: Clock) {
    super(execute);
    this.#clock = clock;
  }

  /** Projects: groups of test inboxes. */
  get projects(): SandboxProjects {
    return (this.#projects ??= new SandboxProjects(this.execute));
  }

  /** Test inboxes. */
  get inboxes(): SandboxInboxes {
    return (this.#inboxes ??= new SandboxInboxes(this.execute));
  }

  /** Messages in test inboxes. */
  get messages(): SandboxMessages {
    return (this.#messages ??= new SandboxMessages(this.execute, this.#clock));
  }

  /** Files attached to messages in test inboxes. */
  get attachments(): SandboxAttachments {
    return (this.#attachments ??= new SandboxAttachments(this.execute));
  }
}
