import { pageAfter } from '../../routing/pages.ts';
import { route, type Exchange } from '../../routing/route.ts';
import { created, noContent, ok, orNotFound } from '../../wire/reply.ts';
import type { World } from '../../state/world.ts';
import { inboxIn, INBOUND } from './endpoint.ts';
import { answer, type Answer } from './outgoing.ts';
import type { MessageRecord } from '../../state/inboxes/inbound.ts';
import { linksIn, messageView } from './view.ts';

/** The endpoints of the messages that an inbox received. */
export function messageRoutes(world: World) {
  const { inbound, settings } = world;
  const found = (exchange: Exchange): MessageRecord =>
    orNotFound(inbound.message(inboxIn(inbound, exchange), exchange.params.message_id ?? ''));
  const answered = (kind: Answer) => (exchange: Exchange) => {
    const message = found(exchange);
    const inbox = inboxIn(inbound, exchange);
    return created({ message_ids: answer(world, kind, inbox, message, exchange.body(), exchange.now) });
  };
  return [
    route('GET /inbound/inboxes/{inbox_id}/messages', INBOUND, (exchange) => {
      const own = inbound.messagesIn(inboxIn(inbound, exchange));
      const all = olderThan(exchange.query.get('last_id'), own);
      const { items, next } = pageAfter(all, new URLSearchParams(), settings.inbound.pageSize);
      const data = items.map((message) => messageView(message));
      return ok({ data, total_count: all.length, last_id: next });
    }),
    route('GET /inbound/inboxes/{inbox_id}/messages/{message_id}', INBOUND, (exchange) =>
      ok(messageView(found(exchange), linksIn(world, exchange))),
    ),
    route('DELETE /inbound/inboxes/{inbox_id}/messages/{message_id}', INBOUND, (exchange) => {
      inbound.removeMessage(found(exchange));
      return noContent();
    }),
    route('POST /inbound/inboxes/{inbox_id}/messages/{message_id}/reply', INBOUND, answered('reply')),
    route('POST /inbound/inboxes/{inbox_id}/messages/{message_id}/reply_all', INBOUND, answered('reply_all')),
    route('POST /inbound/inboxes/{inbox_id}/messages/{message_id}/forward', INBOUND, answered('forward')),
  ];
}

/**
 * The messages after a cursor: the older ones, even if the message of the cursor was deleted. As recorded, a cursor older
 * than all messages gives an empty list with a count of 0. Ignores a cursor that is not an id, like the list of threads.
 */
function olderThan(cursor: string | null, all: readonly MessageRecord[]): readonly MessageRecord[] {
  if (cursor === null || !/^\d{1,20}$/.test(cursor)) return all;
  const bound = BigInt(cursor);
  return all.filter(({ id }) => BigInt(id) < bound);
}
