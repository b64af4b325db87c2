import { area } from '../area.ts';
import { accountOptions } from './options.ts';
import { accountRoutes } from './routes.ts';
import { seedAccesses } from './seed.ts';
import { AccessStore, AccountNames } from './store.ts';

/** Accounts, the people with access to them, and the resources they can have access to. */
export const accounts = area<'accesses' | 'accountNames', 'accounts'>({
  name: 'accounts',
  options: { accounts: accountOptions },
  keep: ({ state }) => ({ accesses: new AccessStore(state), accountNames: new AccountNames(state) }),
  routes: accountRoutes,
  seed: seedAccesses,
});
