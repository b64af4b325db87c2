import { Resource } from '../base/resource.ts';
import { SandboxAttachments } from './attachments.ts';
import { SandboxInboxes } from './inboxes.ts';
import { SandboxMessages } from './messages.ts';
import { SandboxProjects } from './projects.ts';

/**
 * The sandbox: test inboxes, which capture emails instead of delivering them, and their messages. Emails on the stream
 * `sandbox` arrive there.
 *
 * @example
 * ```ts
 * const messages = await client.sandbox.messages.list(7).toArray({ limit: 20 });
 * ```
 */
export class Sandbox extends Resource {
  /** Projects: groups of test inboxes. */
  get projects(): SandboxProjects {
    return this.part(SandboxProjects);
  }

  /** Test inboxes. */
  get inboxes(): SandboxInboxes {
    return this.part(SandboxInboxes);
  }

  /** Messages in test inboxes. */
  get messages(): SandboxMessages {
    return this.part(SandboxMessages);
  }

  /** Files attached to messages in test inboxes. */
  get attachments(): SandboxAttachments {
    return this.part(SandboxAttachments);
  }
}
