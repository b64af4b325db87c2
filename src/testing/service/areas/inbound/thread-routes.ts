import { pageAfter } from '../../routing/pages.ts';
import { route, type Exchange } from '../../routing/route.ts';
import { noContent, ok, orNotFound, Refusal } from '../../wire/reply.ts';
import type { World } from '../../state/world.ts';
import { inboxIn, INBOUND } from './endpoint.ts';
import type { ThreadRecord } from '../../state/inboxes/inbound.ts';
import { linksIn, peopleOf, threadSummary, threadView } from './view.ts';

/** The endpoints of threads. */
export function threadRoutes(world: World) {
  const { inbound, settings } = world;
  const found = (exchange: Exchange): ThreadRecord =>
    orNotFound(inbound.thread(inboxIn(inbound, exchange), exchange.params.thread_id ?? ''));
  return [
    route(
      'GET /inbound/inboxes/{inbox_id}/threads',
      { ...INBOUND, inferred: 'where a search looks besides the subject' },
      (exchange) => {
        const threads = inbound.threadsIn(inboxIn(inbound, exchange));
        const all = threads.filter(searchedFor(exchange.query.get('search') ?? ''));
        const { items, next } = pageAfter(all, exchange.query, settings.inbound.pageSize);
        const data = items.map((thread) => threadSummary(thread, linksIn(world, exchange)));
        return ok({ data, total_count: all.length, last_id: next });
      },
    ),
    route('GET /inbound/inboxes/{inbox_id}/threads/{thread_id}', INBOUND, (exchange) =>
      ok(threadView(found(exchange), linksIn(world, exchange), exchange.now)),
    ),
    route('DELETE /inbound/inboxes/{inbox_id}/threads/{thread_id}', INBOUND, (exchange) => {
      inbound.removeThread(found(exchange));
      return noContent();
    }),
  ];
}

const MAX_SEARCH_LENGTH = 256;

/**
 * Returns a test whether a thread matches a search. As recorded, a search finds the subject in any case. The emulator also
 * searches the people of a thread.
 */
function searchedFor(search: string): (thread: ThreadRecord) => boolean {
  if (Array.from(search).length > MAX_SEARCH_LENGTH) {
    const errors = { search: [`is too long (maximum is ${MAX_SEARCH_LENGTH} characters)`] };
    throw new Refusal({ status: 400, json: { errors } });
  }
  const wanted = search.toLowerCase();
  return (thread) =>
    [thread.subject ?? '', ...peopleOf(thread)].some((text) => text.toLowerCase().includes(wanted));
}
