import { orNotFound, type Exchange } from '../../route.ts';
import type { FolderRecord, InboxRecord } from './record.ts';
import type { InboundStore } from './store.ts';

/** What all endpoints of inbound mail have in common. They are published in one form only. */
export const INBOUND = { area: 'inbound', forms: ['token'] } as const;

/** The folder in the path. Refuses with 404 if there is none. */
export const folderIn = (inbound: InboundStore, { params, token }: Exchange): FolderRecord =>
  orNotFound(inbound.folders.find(token.accountId, Number(params.folder_id)));

/** The inbox in the path. Refuses with 404 if there is none. */
export const inboxIn = (inbound: InboundStore, { params, token }: Exchange): InboxRecord =>
  orNotFound(inbound.inboxes.find(token.accountId, Number(params.inbox_id)));
