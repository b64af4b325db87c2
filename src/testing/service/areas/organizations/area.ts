import { BLANK } from '../../wire/fields.ts';
import { fits, notBlank, positive } from '../../../declare/kind.ts';
import { reading } from '../../routing/control.ts';
import { type Exchange, route } from '../../routing/route.ts';
import { notFound, ok, unprocessable } from '../../wire/reply.ts';
import { wrapped } from '../../routing/wrapper.ts';
import { area } from '../../routing/area.ts';
import type { World } from '../../state/world.ts';

const ORGANIZATIONS = { area: 'account', forms: ['token'] } as const;

/** The endpoints of the organization that the emulator's own account belongs to, and of the accounts added to it. */
function organizationRoutes({ accountNames, accountId, organizationId }: World) {
  const view = (id: number) => ({ id, name: accountNames.of(id) });
  const check = ({ params, token }: Exchange): void => {
    if (params.id !== String(organizationId) || token.accountId !== accountId) throw notFound();
  };
  return [
    route('GET /organizations/{id}/sub_accounts', {
      ...ORGANIZATIONS,
      handler: (exchange) => {
        check(exchange);
        return ok([accountId, ...accountNames.added].map(view));
      },
    }),
    route('POST /organizations/{id}/sub_accounts', {
      ...ORGANIZATIONS,
      handler: (exchange) => {
        check(exchange);
        const { name } = wrapped(exchange.body(), 'account');
        if (!fits(notBlank, name)) throw unprocessable({ name: [BLANK] });
        return ok(view(accountNames.add(name)));
      },
    }),
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
