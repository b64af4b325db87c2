import { notFound, type Exchange } from '../../route.ts';
import type { CapturedRecord, InboxRecord, InboxStore, ProjectRecord } from './store.ts';

type Named = Pick<Exchange, 'params' | 'token'>;

/** The project in the path. Refuses with 404 if there is none. */
export function findProject(store: InboxStore, { params, token }: Named): ProjectRecord {
  const project = store.findProject(token.accountId, Number(params.project_id));
  if (project === undefined) throw notFound();
  return project;
}

/** The test inbox in the path. Refuses with 404 if there is none. */
export function findInbox(store: InboxStore, { params, token }: Named): InboxRecord {
  const inbox = store.find(token.accountId, Number(params.inbox_id));
  if (inbox === undefined) throw notFound();
  return inbox;
}

/** The message in the path. Refuses with 404 if it is not in the inbox. */
export function findMessage(store: InboxStore, exchange: Named): CapturedRecord {
  const message = findInbox(store, exchange).messages.get(Number(exchange.params.message_id));
  if (message === undefined) throw notFound();
  return message;
}
