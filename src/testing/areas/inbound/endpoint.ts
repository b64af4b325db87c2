import { orNotFound, type Exchange } from '../../route.ts';
import { type FolderRecord, type InboxRecord, type InboundStore, HOSTED_DOMAIN } from './store.ts';
import type { DomainRecord } from '../sending-domains/store.ts';
import type { World } from '../world.ts';

/** The properties that all endpoints of inbound mail share. They are published in one form only. */
export const INBOUND = { area: 'inbound', forms: ['token'] } as const;

/** The folder in the path. Refuses with 404 if there is none. */
export const folderIn = (inbound: InboundStore, { params, token }: Exchange): FolderRecord =>
  orNotFound(inbound.folders.find(token.accountId, Number(params.folder_id)));

/** The inbox in the path. Refuses with 404 if there is none. */
export const inboxIn = (inbound: InboundStore, { params, token }: Exchange): InboxRecord =>
  orNotFound(inbound.inboxes.find(token.accountId, Number(params.inbox_id)));

/** Adds an inbox. By default, at the service's own domain. */
export function addInbox(
  { inbound, streams }: World,
  { id: folderId, accountId }: FolderRecord,
  name: string,
  domain?: DomainRecord,
): InboxRecord {
  const address = `${streams.of('addresses').hex(10)}@${(domain ?? HOSTED_DOMAIN).name}`;
  return inbound.inboxes.insert({ accountId, folderId, name, address, domainId: domain?.id ?? null });
}
