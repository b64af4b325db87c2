import { area } from '../../routing/area.ts';
import type { World } from '../../state/world.ts';
import { accountRoutes } from './routes.ts';
import { type AccessRecord, AccountNames, accountOptions } from '../../state/account/accounts.ts';
import { emptyTable, Table } from '../../state/base/table.ts';

/** Adds the own account, its owner, a colleague with access to one domain, and an invited person. */
function seedAccesses({ accesses, accountNames, domains, accountId, organizationId }: World): void {
  accountNames.addOwn(accountId);
  const [{ id: domainId }] = domains.usable(accountId);
  const whole = (access_level: 1000 | 10) => ({
    resource_type: 'account',
    resource_id: accountId,
    access_level,
  });
  const user = (id: number, email: string, name: string) => ({
    id,
    email,
    name,
    two_factor_authentication_enabled: true,
  });
  accesses.insert({
    accountId,
    type: 'User',
    specifier: user(6001, 'owner@example.com', 'Olive Owner'),
    resources: [
      whole(1000),
      { resource_type: 'organization', resource_id: organizationId, access_level: 1000 },
    ],
  });
  accesses.insert({
    accountId,
    type: 'User',
    specifier: user(6002, 'vera@example.com', 'Vera Viewer'),
    resources: [{ resource_type: 'domain', resource_id: domainId, access_level: 10 }],
  });
  // An invite has no name yet, as recorded.
  accesses.insert({
    accountId,
    type: 'Invite',
    specifier: { id: 6003, email: 'invited@example.com' },
    resources: [whole(10)],
  });
}

/** Accounts, the people with access to them, and the resources they can have access to. */
export const accounts = area<'accesses' | 'accountNames', 'accounts'>({
  name: 'accounts',
  options: { accounts: accountOptions },
  keep: ({ state }) => ({
    accesses: new Table(state.part('accesses', emptyTable<AccessRecord>(5001))),
    accountNames: new AccountNames(state),
  }),
  routes: accountRoutes,
  seed: seedAccesses,
});
