import { nameIn } from '../../checks/fields.ts';
import { created, noContent, ok, route } from '../../route.ts';
import type { World } from '../world.ts';
import { folderIn, INBOUND } from './endpoint.ts';
import type { FolderRecord } from './record.ts';

const MAX_NAME = 100;

/** The endpoints of folders. */
export function folderRoutes({ inbound }: World) {
  const { folders } = inbound;
  const view = ({ id, name }: FolderRecord) => ({ id, name });
  return [
    route('GET /inbound/folders', {
      ...INBOUND,
      handler: ({ token }) => ok(folders.of(token.accountId).map(view)),
    }),
    route('POST /inbound/folders', {
      ...INBOUND,
      handler: ({ body, token }) => {
        const name = nameIn(body(), '', MAX_NAME);
        return created(view(folders.insert({ accountId: token.accountId, name })));
      },
    }),
    route('GET /inbound/folders/{folder_id}', {
      ...INBOUND,
      handler: (exchange) => ok(view(folderIn(inbound, exchange))),
    }),
    route('PATCH /inbound/folders/{folder_id}', {
      ...INBOUND,
      handler: (exchange) => {
        const folder = folderIn(inbound, exchange);
        folder.name = nameIn(exchange.body(), folder.name, MAX_NAME);
        return ok(view(folder));
      },
    }),
    route('DELETE /inbound/folders/{folder_id}', {
      ...INBOUND,
      handler: (exchange) => {
        inbound.removeFolder(folderIn(inbound, exchange));
        return noContent();
      },
    }),
  ];
}
