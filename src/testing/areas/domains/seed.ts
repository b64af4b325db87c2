import type { Kit } from '../kit.ts';
import type { DomainRecord } from './record.ts';
import type { DomainStore } from './store.ts';

/** Adds the initial domains. Returns the verified ones. */
export function seedDomains(kit: Kit, store: DomainStore, demo: boolean): [DomainRecord, ...DomainRecord[]] {
  const first = store.addSettled(kit.accountId, 'mail.example.com', true);
  store.addSettled(kit.accountId, 'unverified.example.com', false);
  if (!demo) return [first];
  const more = ['news.example.com', 'shop.example.org', 'updates.example.net'];
  const verified = more.map((name) => store.addSettled(kit.accountId, name, true));
  store.addSettled(kit.accountId, 'pending.example.org', false);
  return [first, ...verified];
}
