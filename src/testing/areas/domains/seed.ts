import type { Kit } from '../kit.ts';
import type { DomainRecord } from './record.ts';
import type { DomainStore } from './store.ts';

/** Adds the domains that every account has: a verified one, which is returned, and one that is not. */
export function addFirstDomains(store: DomainStore, accountId: number): DomainRecord {
  const first = store.addSettled(accountId, 'mail.example.com', true);
  store.addSettled(accountId, 'unverified.example.com', false);
  return first;
}

/** Adds the initial domains. Returns the verified ones. */
export function seedDomains(kit: Kit, store: DomainStore, demo: boolean): [DomainRecord, ...DomainRecord[]] {
  const first = addFirstDomains(store, kit.accountId);
  if (!demo) return [first];
  const more = ['news.example.com', 'shop.example.org', 'updates.example.net'];
  const verified = more.map((name) => store.addSettled(kit.accountId, name, true));
  store.addSettled(kit.accountId, 'pending.example.org', false);
  return [first, ...verified];
}
