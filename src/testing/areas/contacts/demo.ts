import type { ContactStore } from './store.ts';

const groups = ['Customers', 'Newsletter', 'Trial', 'Partners', 'Press'];
const places = ['Europe', 'Americas', 'Asia', 'Africa', 'Oceania', 'Nordics', 'Iberia', 'Balkans'];

/** The lists that campaigns are sent to. */
export function seedLists(store: ContactStore, accountId: number): void {
  for (const place of places) for (const group of groups) store.addList(accountId, `${group} ${place}`);
}
