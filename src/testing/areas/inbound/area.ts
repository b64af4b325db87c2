import {
  created,
  noContent,
  notFound,
  ok,
  Refusal,
  type Area,
  type Exchange,
  type Route,
} from '../../route.ts';
import type { SignedStorage } from '../../storage.ts';
import { FieldErrors, required } from '../field-errors.ts';
import { pageAfter } from '../suppressions/reading.ts';
import type { InboundOptions } from './options.ts';
import { answer, type Answer } from './outgoing.ts';
import type { ReceivingParts } from './receive.ts';
import type { FolderRecord, InboxRecord, MessageRecord, ThreadRecord } from './record.ts';
import { ruleEndpoints } from './rules.ts';
import { HOSTED_DOMAIN } from './store.ts';
import { messageView, peopleOf, threadSummary, threadView, type Links } from './view.ts';

/** What inbound mail is made of. */
export interface InboundParts extends ReceivingParts {
  readonly storage: SignedStorage;
  readonly options: InboundOptions;
  /** Makes the local part of an address. */
  readonly hex: (length: number) => string;
}

type Endpoint = Omit<Route, 'permission'>;

const FOLDERS = '/api/inbound/folders';
const INBOXES = `${FOLDERS}/:folder_id/inboxes`;
const MESSAGES = '/api/inbound/inboxes/:inbox_id/messages';
const THREADS = '/api/inbound/inboxes/:inbox_id/threads';

/** Inbound mail. It is published in one form only. */
export function createInbound(parts: InboundParts): Area {
  const { store } = parts;
  const inboxOf = ({ params, token }: Exchange): InboxRecord =>
    orNotFound(store.inbox(token.accountId, Number(params.inbox_id)));
  const endpoints = [
    ...folderEndpoints(parts),
    ...inboxEndpoints(parts),
    ...messageEndpoints(parts, inboxOf),
    ...threadEndpoints(parts, inboxOf),
    ...ruleEndpoints(store, '/api/inbound/inboxes/:inbox_id/forward_rules', inboxOf),
  ];
  return {
    routes: endpoints.map((endpoint) => ({
      ...endpoint,
      permission: ['inbound', endpoint.method === 'GET' ? 'viewer' : 'admin'],
    })),
  };
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw notFound();
  return found;
}

function nameIn(exchange: Exchange, before: string, max = 100): string {
  const errors = new FieldErrors();
  const name = required(exchange.body().name, before, 'name', errors, max);
  errors.throwIfAny();
  return name;
}

function folderEndpoints({ store }: InboundParts): Endpoint[] {
  const one = `${FOLDERS}/:folder_id`;
  const view = ({ id, name }: FolderRecord) => ({ id, name });
  const found = ({ params, token }: Exchange) =>
    orNotFound(store.folder(token.accountId, Number(params.folder_id)));
  return [
    { method: 'GET', path: FOLDERS, handler: ({ token }) => ok(store.folders(token.accountId).map(view)) },
    {
      method: 'POST',
      path: FOLDERS,
      handler: (exchange) => created(view(store.addFolder(exchange.token.accountId, nameIn(exchange, '')))),
    },
    { method: 'GET', path: one, handler: (exchange) => ok(view(found(exchange))) },
    {
      method: 'PATCH',
      path: one,
      handler: (exchange) => {
        const folder = found(exchange);
        folder.name = nameIn(exchange, folder.name);
        return ok(view(folder));
      },
    },
    {
      method: 'DELETE',
      path: one,
      handler: (exchange) => {
        store.removeFolder(found(exchange));
        return noContent();
      },
    },
  ];
}

function inboxEndpoints(parts: InboundParts): Endpoint[] {
  const { store } = parts;
  const one = `${INBOXES}/:inbox_id`;
  const view = ({ id, name, address, domainId }: InboxRecord) => ({
    id,
    name,
    address,
    domain_id: domainId ?? HOSTED_DOMAIN.id,
  });
  const folderOf = ({ params, token }: Exchange) =>
    orNotFound(store.folder(token.accountId, Number(params.folder_id)));
  const found = (exchange: Exchange) => {
    const inbox = store.inbox(exchange.token.accountId, Number(exchange.params.inbox_id));
    return orNotFound(inbox?.folderId === folderOf(exchange).id ? inbox : undefined);
  };
  return [
    {
      method: 'GET',
      path: INBOXES,
      handler: (exchange) => ok(store.inboxes(folderOf(exchange).id).map(view)),
    },
    {
      method: 'POST',
      path: INBOXES,
      handler: (exchange) => {
        const folder = folderOf(exchange);
        const errors = new FieldErrors();
        const { name: given, domain_id: domainId = null } = exchange.body();
        const name = required(given, '', 'name', errors, 255);
        const domain = parts.domains.get(Number(domainId));
        const isOwn = domain?.accountId === folder.accountId;
        if (domainId !== null && !isOwn) errors.add('domain_id', 'must exist');
        const { maxInboxes } = parts.options;
        if (store.inboxCount(folder.accountId) >= maxInboxes) {
          errors.add('base', `The limit of ${maxInboxes} inboxes per account is reached`);
        }
        errors.throwIfAny();
        return created(view(addInbox(parts, folder, name, isOwn ? domain.id : null)));
      },
    },
    { method: 'GET', path: one, handler: (exchange) => ok(view(found(exchange))) },
    {
      method: 'PATCH',
      path: one,
      handler: (exchange) => {
        const inbox = found(exchange);
        inbox.name = nameIn(exchange, inbox.name, 255);
        return ok(view(inbox));
      },
    },
    {
      method: 'DELETE',
      path: one,
      handler: (exchange) => {
        store.removeInbox(found(exchange));
        return noContent();
      },
    },
  ];
}

/** Adds an inbox, at the service's own domain unless one is given. */
export function addInbox(
  { store, domains, hex }: Pick<InboundParts, 'store' | 'domains' | 'hex'>,
  { id: folderId, accountId }: FolderRecord,
  name: string,
  domainId: number | null,
): InboxRecord {
  const domain = domainId === null ? undefined : domains.get(domainId);
  const address = `${hex(10)}@${(domain ?? HOSTED_DOMAIN).name}`;
  return store.addInbox({ accountId, folderId, name, address, domainId });
}

function messageEndpoints(parts: InboundParts, inboxOf: (exchange: Exchange) => InboxRecord): Endpoint[] {
  const { store, options } = parts;
  const one = `${MESSAGES}/:message_id`;
  const found = (exchange: Exchange): MessageRecord =>
    orNotFound(store.message(inboxOf(exchange).id, exchange.params.message_id ?? ''));
  const sending = (kind: Answer): Endpoint => ({
    method: 'POST',
    path: `${one}/${kind}`,
    handler: (exchange) => {
      const message = found(exchange);
      const { maxHostedReplies } = options;
      const inbox = inboxOf(exchange);
      const ids = answer({ ...parts, maxHostedReplies }, kind, inbox, message, exchange.body(), exchange.now);
      return created({ message_ids: ids });
    },
  });
  return [
    {
      method: 'GET',
      path: MESSAGES,
      handler: (exchange) => {
        const all = olderThan(exchange.query.get('last_id'), store.messages(inboxOf(exchange).id));
        const { items, next } = pageAfter(all, new URLSearchParams(), options.pageSize);
        const data = items.map((message) => messageView(message));
        return ok({ data, total_count: all.length, last_id: next });
      },
    },
    {
      method: 'GET',
      path: one,
      handler: (exchange) => ok(messageView(found(exchange), linksIn(parts, exchange))),
    },
    {
      method: 'DELETE',
      path: one,
      handler: (exchange) => {
        store.removeMessage(found(exchange));
        return noContent();
      },
    },
    sending('reply'),
    sending('reply_all'),
    sending('forward'),
  ];
}

/**
 * The messages after a cursor: those that are older, even if the one that it names was deleted. As recorded, a cursor
 * older than everything leaves none, and the others are not counted. One that is no id is ignored, as that of threads is.
 */
function olderThan(cursor: string | null, all: readonly MessageRecord[]): readonly MessageRecord[] {
  if (cursor === null || !/^\d{1,20}$/.test(cursor)) return all;
  const bound = BigInt(cursor);
  return all.filter(({ id }) => BigInt(id) < bound);
}

const MAX_SEARCH_LENGTH = 256;

/**
 * Whether a thread is one that is searched for. Where the service looks is not published; here, it is the subject and the
 * people.
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

const linksIn = ({ storage, options }: InboundParts, { origin, now }: Exchange): Links => ({
  storage,
  origin,
  until: now + options.fileUrlMs,
});

function threadEndpoints(parts: InboundParts, inboxOf: (exchange: Exchange) => InboxRecord): Endpoint[] {
  const { store, options } = parts;
  const one = `${THREADS}/:thread_id`;
  const found = (exchange: Exchange): ThreadRecord =>
    orNotFound(store.thread(inboxOf(exchange).id, exchange.params.thread_id ?? ''));
  return [
    {
      method: 'GET',
      path: THREADS,
      handler: (exchange) => {
        const threads = store.threads(inboxOf(exchange).id);
        const all = threads.filter(searchedFor(exchange.query.get('search') ?? ''));
        const { items, next } = pageAfter(all, exchange.query, options.pageSize);
        const data = items.map((thread) => threadSummary(thread, linksIn(parts, exchange)));
        return ok({ data, total_count: all.length, last_id: next });
      },
    },
    {
      method: 'GET',
      path: one,
      handler: (exchange) => ok(threadView(found(exchange), linksIn(parts, exchange), exchange.now)),
    },
    {
      method: 'DELETE',
      path: one,
      handler: (exchange) => {
        store.removeThread(found(exchange));
        return noContent();
      },
    },
  ];
}
