import { nameIn, FieldErrors, required } from '../../wire/fields.ts';
import { route, type Exchange } from '../../routing/route.ts';
import { created, noContent, ok, orNotFound } from '../../wire/reply.ts';
import type { World } from '../../state/world.ts';
import { folderIn, INBOUND, addInbox } from './endpoint.ts';
import { type FolderRecord, type InboxRecord, HOSTED_DOMAIN } from '../../state/inboxes/inbound.ts';

const MAX_FOLDER_NAME = 100;

/** The endpoints of folders. */
export function folderRoutes({ inbound }: World) {
  const { folders } = inbound;
  const view = ({ id, name }: FolderRecord) => ({ id, name });
  return [
    route('GET /inbound/folders', INBOUND, ({ token }) => ok(folders.of(token.accountId).map(view))),
    route('POST /inbound/folders', INBOUND, ({ body, token }) => {
      const name = nameIn(body(), '', MAX_FOLDER_NAME);
      return created(view(folders.insert({ accountId: token.accountId, name })));
    }),
    route('GET /inbound/folders/{folder_id}', INBOUND, (exchange) => ok(view(folderIn(inbound, exchange)))),
    route('PATCH /inbound/folders/{folder_id}', INBOUND, (exchange) => {
      const folder = folderIn(inbound, exchange);
      folder.name = nameIn(exchange.body(), folder.name, MAX_FOLDER_NAME);
      return ok(view(folder));
    }),
    route('DELETE /inbound/folders/{folder_id}', INBOUND, (exchange) => {
      inbound.removeFolder(folderIn(inbound, exchange));
      return noContent();
    }),
  ];
}

const MAX_INBOX_NAME = 255;

/** The endpoints of inboxes. */
export function inboxRoutes(world: World) {
  const { inbound, domains, settings } = world;
  const view = ({ id, name, address, domainId }: InboxRecord) => ({
    id,
    name,
    address,
    domain_id: domainId ?? HOSTED_DOMAIN.id,
  });
  const found = (exchange: Exchange) => {
    const inbox = inbound.inboxes.find(exchange.token.accountId, Number(exchange.params.inbox_id));
    return orNotFound(inbox?.folderId === folderIn(inbound, exchange).id ? inbox : undefined);
  };
  return [
    route('GET /inbound/folders/{folder_id}/inboxes', INBOUND, (exchange) =>
      ok(inbound.inboxesIn(folderIn(inbound, exchange)).map(view)),
    ),
    route('POST /inbound/folders/{folder_id}/inboxes', INBOUND, (exchange) => {
      const folder = folderIn(inbound, exchange);
      const errors = new FieldErrors();
      const { name: input, domain_id: domainId = null } = exchange.body();
      const name = required(input, '', 'name', errors, MAX_INBOX_NAME);
      const domain = domains.find(folder.accountId, Number(domainId));
      if (domainId !== null && domain === undefined) errors.add('domain_id', 'must exist');
      const { maxInboxes } = settings.inbound;
      if (inbound.inboxes.count(folder.accountId) >= maxInboxes) {
        errors.add('base', `The limit of ${maxInboxes} inboxes per account is reached`);
      }
      errors.throwIfAny();
      return created(view(addInbox(world, folder, name, domain)));
    }),
    route('GET /inbound/folders/{folder_id}/inboxes/{inbox_id}', INBOUND, (exchange) =>
      ok(view(found(exchange))),
    ),
    route('PATCH /inbound/folders/{folder_id}/inboxes/{inbox_id}', INBOUND, (exchange) => {
      const inbox = found(exchange);
      inbox.name = nameIn(exchange.body(), inbox.name, MAX_INBOX_NAME);
      return ok(view(inbox));
    }),
    route('DELETE /inbound/folders/{folder_id}/inboxes/{inbox_id}', INBOUND, (exchange) => {
      inbound.removeInbox(found(exchange));
      return noContent();
    }),
  ];
}
