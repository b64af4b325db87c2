import { MEMORY_ORIGIN } from '../hosts.ts';
import { InboxPoller } from './inbox-poller.ts';
import type { MailboxClient } from './types.ts';

/** Where the pollers of a process are, and those of clients whose service cannot be told from another. */
interface Pollers {
  readonly byInbox: Map<string, WeakRef<InboxPoller>>;
  readonly byClient: WeakMap<object, Map<number, InboxPoller>>;
}

/** The pollers are the process's, and not a module's: test runners load modules anew for each file. */
const POLLERS = Symbol.for('email-platform.inbox-pollers.1');
/** Where a client of this package says which service it calls. */
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
  // In memory, every emulator has the same address.
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
