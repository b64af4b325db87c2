import type { World } from '../world.ts';
import type { DomainStore } from './store.ts';

/** Adds the domains that every account has: a verified one, and one that is not. */
export function addFirstDomains(store: DomainStore, accountId: number): void {
  store.addSettled(accountId, 'mail.example.com', true);
  store.addSettled(accountId, 'unverified.example.com', false);
}

/** Adds the initial domains. */
export function seedDomains({ domains, accountId }: World, isDemo: boolean): void {
  addFirstDomains(domains, accountId);
  if (!isDemo) return;
  const more = ['news.example.com', 'shop.example.org', 'updates.example.net'];
  for (const name of more) domains.addSettled(accountId, name, true);
  domains.addSettled(accountId, 'pending.example.org', false);
}
