import type { ContactStore } from './store.ts';

const GROUPS = ['Customers', 'Newsletter', 'Trial', 'Partners', 'Press'];
const PLACES = ['Europe', 'Americas', 'Asia', 'Africa', 'Oceania', 'Nordics', 'Iberia', 'Balkans'];

/** Adds the lists that the demo campaigns are sent to. */
export function seedLists(store: ContactStore, accountId: number): void {
  for (const place of PLACES) for (const group of GROUPS) store.addList(accountId, `${group} ${place}`);
}
