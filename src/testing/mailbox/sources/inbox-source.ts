import type { MailSource } from './source.ts';
import type { InboxPoller } from './inbox-poller.ts';
import type { MailboxClient } from '../../reading/message/message-types.ts';

/** The emails in a test inbox of the service. All mailboxes of the process share one poller. */
export const inboxSource = (client: MailboxClient, inbox: number, poller: InboxPoller): MailSource => ({
  name: `the test inbox ${inbox}`,
  waitMs: 5_000,
  follow: ({ after }, tell, signal) => poller.follow({ client, after, tell }, signal),
  look: (_, tell, signal) => poller.next({ client, after: undefined, tell }, signal),
  async report() {
    const notes: string[] = [];
    if (client.limits?.snapshot().sandbox?.blockedUntil !== undefined)
      notes.push('The inbox refused emails of this client by its limit, with 429');
    const failure = poller.failure;
    try {
      const { emails_count: count, max_size: most } = await client.sandbox.inboxes.get(inbox);
      if (count >= most) notes.push(`The inbox is full: it keeps the newest ${most} messages`);
    } catch (cause) {
      return { arrivals: poller.known, notes, cause: failure ?? cause };
    }
    if (notes.length === 0) {
      notes.push(
        'An inbox refuses more emails than its plan allows in 10 seconds, with a 429 that only their sender sees',
      );
    }
    return { arrivals: poller.known, notes, ...(failure !== undefined && { cause: failure }) };
  },
});
