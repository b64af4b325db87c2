import { FieldErrors } from '../../wire/fields.ts';
import { iso } from '../../../encoding/iso.ts';
import { pageAfter } from '../../routing/pages.ts';
import { route } from '../../routing/route.ts';
import { created, ok } from '../../wire/reply.ts';
import { area } from '../../routing/area.ts';
import { orNotListed, readAddress, wantedBy } from '../suppressions/area.ts';
import type { World } from '../../state/world.ts';
import { type OptOutRecord, OptOutStore } from '../../state/audience/opt-outs.ts';

/** The shared properties of the endpoints. They have one form of the path only, and no pool of the account. */
const OPT_OUTS = { area: 'suppressions', forms: ['token'] } as const;

/** The endpoints of tracking opt-outs: addresses whose opens and clicks are not tracked. */
function optOutRoutes({ optOuts, domains, streams, settings }: World) {
  const random = streams.of('messages');
  const view = ({ id, email, domainId, createdAt }: OptOutRecord) => ({
    id,
    email,
    created_at: iso(createdAt),
    domain_name: domains.anywhere(domainId)?.name ?? null,
  });
  return [
    route('GET /tracking_opt_outs', OPT_OUTS, ({ token, query }) => {
      const wanted = optOuts.newestOf(token.accountId).filter(wantedBy(query));
      const { items, next } = pageAfter(wanted, query, settings.suppressions.pageSize);
      return ok({ data: items.map(view), last_id: next });
    }),
    route('POST /tracking_opt_outs', OPT_OUTS, ({ body, token, now }) => {
      const errors = new FieldErrors();
      const { accountId } = token;
      const address = readAddress(body(), domains, accountId, errors);
      errors.throwIfAny();
      return created({
        data: view(optOuts.put({ id: random.uuid(), accountId, createdAt: now, ...address })),
      });
    }),
    route('DELETE /tracking_opt_outs/{id}', OPT_OUTS, ({ params, token }) => {
      const one = optOuts.find(token.accountId, (params.id ?? '').toLowerCase());
      const found = orNotListed(one, 'Tracking opt-out');
      optOuts.remove(found);
      return ok(view(found));
    }),
  ];
}

/** Tracking opt-outs: addresses whose opens and clicks are not tracked. */
export const trackingOptOuts = area<'optOuts'>({
  name: 'tracking-opt-outs',
  keep: ({ state }) => ({ optOuts: new OptOutStore(state) }),
  routes: optOutRoutes,
});
