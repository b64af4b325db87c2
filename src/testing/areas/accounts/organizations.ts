import { notFound, ok, unprocessable, type Area, type Exchange } from '../../route.ts';
import { BLANK } from '../field-errors.ts';
import { wrapped } from '../wrapper.ts';
import type { AccountNames } from './store.ts';

/** The organization that the emulator's own account belongs to, and the accounts that are added to it. */
export function createOrganizations(names: AccountNames, ownAccountId: number, organizationId: number): Area {
  const path = '/api/organizations/:id/sub_accounts';
  const view = (id: number) => ({ id, name: names.of(id) });
  const check = ({ params, token }: Exchange): void => {
    if (params.id !== String(organizationId) || token.accountId !== ownAccountId) throw notFound();
  };
  return {
    routes: [
      {
        method: 'GET',
        path,
        permission: ['account', 'viewer'],
        handler: (exchange) => {
          check(exchange);
          return ok([ownAccountId, ...names.added].map(view));
        },
      },
      {
        method: 'POST',
        path,
        permission: ['account', 'admin'],
        handler: (exchange) => {
          check(exchange);
          const { name } = wrapped(exchange.body(), 'account');
          if (typeof name !== 'string' || name.trim() === '') throw unprocessable({ name: [BLANK] });
          return ok(view(names.add(name)));
        },
      },
    ],
  };
}
