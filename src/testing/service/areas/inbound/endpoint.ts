import type { Exchange } from '../../routing/route.ts';
import { orNotFound } from '../../wire/reply.ts';
import {
  type FolderRecord,
  type InboxRecord,
  type InboundStore,
  HOSTED_DOMAIN,
} from '../../state/inboxes/inbound.ts';
import type { DomainRecord } from '../../state/account/domains.ts';
import type { World } from '../../state/world.ts';

/** The properties that all endpoints of inbound mail share. They are published in one form only. */
export const INBOUND = { area: 'inbound', forms: ['token'] } as const;

/** The folder in the path. Refuses with 404 if there is none. */
export const folderIn = (inbound: InboundStore, { params, token }: Exchange): FolderRecord =>
  orNotFound(inbound.folders.find(token.accountId, Number(params.folder_id)));

/** The inbox in the path. Refuses with 404 if there is none. */
export const inboxIn = (inbound: InboundStore, { params, token }: Exchange): InboxRecord =>
  orNotFound(inbound.inboxes.find(token.accountId, Number(params.inbox_id)));

/** The letters and digits of a name, for an address: `Support tickets` is `support-tickets`. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z\d]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-|-$/g, '');

/** A local part has at most 64 characters. */
const MAX_SLUG = 50;

/** Adds an inbox: a catch-all at a domain of the account or, by default, an address at the service's own domain. */
export function addInbox(
  { inbound, streams }: World,
  { id: folderId, accountId }: FolderRecord,
  name: string,
  domain?: DomainRecord,
): InboxRecord {
  const hosted = () => [slugOf(name), streams.of('addresses').hex(8)].filter((part) => part !== '').join('-');
  const address = domain === undefined ? `${hosted()}@${HOSTED_DOMAIN.name}` : `*@${domain.name}`;
  return inbound.inboxes.insert({ accountId, folderId, name, address, domainId: domain?.id ?? null });
}
