import { ForwardRules } from './forward-rules.ts';
import { InboundFolders } from './folders.ts';
import { InboundInboxes } from './inboxes.ts';
import { InboundMessages } from './messages.ts';
import { InboundThreads } from './threads.ts';
import { Resource } from '../base/resource.ts';

/**
 * Email that you receive: inboxes in folders, their messages and threads, and rules that forward messages. Each has one
 * path, with or without an account.
 *
 * @example
 * ```ts
 * const [inbox] = await client.inbound.inboxes.list(7).toArray({ limit: 1 });
 * ```
 */
export class Inbound extends Resource {
  /** Folders of inboxes. */
  get folders(): InboundFolders {
    return this.part(InboundFolders);
  }

  /** Inboxes, each with an address. */
  get inboxes(): InboundInboxes {
    return this.part(InboundInboxes);
  }

  /** Received messages; replies and forwards. */
  get messages(): InboundMessages {
    return this.part(InboundMessages);
  }

  /** Conversations: received messages and the replies to them. */
  get threads(): InboundThreads {
    return this.part(InboundThreads);
  }

  /** Rules that forward messages to other addresses. */
  get forwardRules(): ForwardRules {
    return this.part(ForwardRules);
  }
}
