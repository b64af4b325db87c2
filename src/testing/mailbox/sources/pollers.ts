import { MEMORY_ORIGIN } from '../../service/wire/hosts.ts';
import { InboxPoller } from './inbox-poller.ts';
import type { MailboxClient } from '../../reading/message/message-types.ts';

/** The pollers of the process, by inbox; by client if the client does not show its service. */
interface Pollers {
  readonly byInbox: Map<string, WeakRef<InboxPoller>>;
  readonly byClient: WeakMap<object, Map<number, InboxPoller>>;
}

/** The key of the pollers on `globalThis`, because test runners load modules again for each file. */
const POLLERS = Symbol.for('email-platform.inbox-pollers.1');
/** The key of a client's port, which has the addresses of its service. */
const PORT = Symbol.for('email-platform.port');

function pollers(): Pollers {
  const place: Record<symbol, Pollers | undefined> = globalThis;
  return (place[POLLERS] ??= { byInbox: new Map(), byClient: new WeakMap() });
}

/** The poller of a test inbox: one for all clients of a service in the process, as long as a mailbox has it. */
export function pollerOf(client: MailboxClient, inbox: number): InboxPoller {
  const { byInbox, byClient } = pollers();
  const { [PORT]: port } = client as { readonly [PORT]?: { readonly hosts?: { readonly api?: string } } };
  const api = port?.hosts?.api;
  // By client, because every emulator in memory has the same address.
  if (api === undefined || api.startsWith(MEMORY_ORIGIN)) {
    const own = byClient.get(client) ?? new Map<number, InboxPoller>();
    byClient.set(client, own);
    const poller = own.get(inbox) ?? new InboxPoller(inbox);
    own.set(inbox, poller);
    return poller;
  }
  const name = `${inbox} ${api}`;
  const poller = byInbox.get(name)?.deref() ?? new InboxPoller(inbox);
  byInbox.set(name, new WeakRef(poller));
  return poller;
}
