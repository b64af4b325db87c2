import type { DomainRecord } from '../sending-domains/record.ts';
import type { World } from '../world.ts';
import type { FolderRecord, InboxRecord } from './record.ts';
import { HOSTED_DOMAIN } from './store.ts';

/** Adds an inbox, at the service's own domain unless one is given. */
export function addInbox(
  { inbound, streams }: World,
  { id: folderId, accountId }: FolderRecord,
  name: string,
  domain?: DomainRecord,
): InboxRecord {
  const address = `${streams.of('addresses').hex(10)}@${(domain ?? HOSTED_DOMAIN).name}`;
  return inbound.inboxes.insert({ accountId, folderId, name, address, domainId: domain?.id ?? null });
}
