import { FieldErrors, nameIn, required } from '../../checks/fields.ts';
import { created, noContent, ok, orNotFound, route, type Exchange } from '../../route.ts';
import type { World } from '../world.ts';
import { addInbox } from './add-inbox.ts';
import { folderIn, INBOUND } from './endpoint.ts';
import type { InboxRecord } from './record.ts';
import { HOSTED_DOMAIN } from './store.ts';

const MAX_NAME = 255;

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
    route('GET /inbound/folders/{folder_id}/inboxes', {
      ...INBOUND,
      handler: (exchange) => ok(inbound.inboxesIn(folderIn(inbound, exchange)).map(view)),
    }),
    route('POST /inbound/folders/{folder_id}/inboxes', {
      ...INBOUND,
      handler: (exchange) => {
        const folder = folderIn(inbound, exchange);
        const errors = new FieldErrors();
        const { name: given, domain_id: domainId = null } = exchange.body();
        const name = required(given, '', 'name', errors, MAX_NAME);
        const domain = domains.find(folder.accountId, Number(domainId));
        if (domainId !== null && domain === undefined) errors.add('domain_id', 'must exist');
        const { maxInboxes } = settings.inbound;
        if (inbound.inboxes.count(folder.accountId) >= maxInboxes) {
          errors.add('base', `The limit of ${maxInboxes} inboxes per account is reached`);
        }
        errors.throwIfAny();
        return created(view(addInbox(world, folder, name, domain)));
      },
    }),
    route('GET /inbound/folders/{folder_id}/inboxes/{inbox_id}', {
      ...INBOUND,
      handler: (exchange) => ok(view(found(exchange))),
    }),
    route('PATCH /inbound/folders/{folder_id}/inboxes/{inbox_id}', {
      ...INBOUND,
      handler: (exchange) => {
        const inbox = found(exchange);
        inbox.name = nameIn(exchange.body(), inbox.name, MAX_NAME);
        return ok(view(inbox));
      },
    }),
    route('DELETE /inbound/folders/{folder_id}/inboxes/{inbox_id}', {
      ...INBOUND,
      handler: (exchange) => {
        inbound.removeInbox(found(exchange));
        return noContent();
      },
    }),
  ];
}
