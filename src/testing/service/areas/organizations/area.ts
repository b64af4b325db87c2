import { BLANK } from '../../wire/fields.ts';
import { fits, notBlank, positive } from '../../../declare/kind.ts';
import { reading } from '../../routing/control.ts';
import { type Exchange, route } from '../../routing/route.ts';
import { forbidden, noContent, notFound, ok, unprocessable } from '../../wire/reply.ts';
import { wrapped } from '../../routing/wrapper.ts';
import { area } from '../../routing/area.ts';
import type { World } from '../../state/world.ts';

const ORGANIZATIONS = { area: 'account', forms: ['token'] } as const;

/** The endpoints of the organization that the emulator's own account belongs to, and of its accounts. */
function organizationRoutes({ accountNames, tokens, accountId, organizationId }: World) {
  const view = (id: number) => ({ id, name: accountNames.of(id) });
  const check = ({ params, token }: Exchange): void => {
    const isManaged = params.id === String(organizationId) && accountNames.ids.length > 0;
    if (!isManaged || token.accountId !== accountId) throw forbidden();
  };
  return [
    route('GET /organizations/{id}/sub_accounts', ORGANIZATIONS, (exchange) => {
      check(exchange);
      return ok(accountNames.ids.map(view));
    }),
    route('POST /organizations/{id}/sub_accounts', ORGANIZATIONS, (exchange) => {
      check(exchange);
      const { name } = wrapped(exchange.body(), 'account');
      if (!fits(notBlank, name)) throw unprocessable({ name: [BLANK] });
      return ok(view(accountNames.add(name)));
    }),
    route(
      'DELETE /organizations/{id}/sub_accounts/{sub_account_id}',
      {
        ...ORGANIZATIONS,
        pool: 'subAccountsDelete',
        inferred: 'that the tokens of the account stop working',
      },
      (exchange) => {
        check(exchange);
        const id = Number(exchange.params.sub_account_id);
        if (!accountNames.remove(id)) throw notFound();
        for (const token of tokens.list(id, exchange.now)) tokens.remove(token);
        return noContent();
      },
    ),
  ];
}

/** The organization that the emulator's own account belongs to. */
export const organizations = area({
  name: 'organizations',
  routes: organizationRoutes,
  controls: {
    organizationId: reading(
      'GET /organization',
      { returns: positive, as: 'id' },
      (world) => world.organizationId,
    ),
  },
});
