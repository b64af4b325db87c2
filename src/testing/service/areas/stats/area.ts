import { type Exchange, type Form, route } from '../../routing/route.ts';
import { badRequest, ok } from '../../wire/reply.ts';
import { reachesDomain } from '../../state/account/tokens.ts';
import { area } from '../../routing/area.ts';
import type { World } from '../../state/world.ts';
import { figuresOf, type Sum, Sums } from '../../state/emails/sums.ts';

const STATS = { area: 'stats', pool: 'stats' } as const;

/** A grouping of messages: the key of a group in the response, and the group of a sum. */
interface Grouping {
  readonly path: string;
  readonly key: (form: Form) => string;
  readonly of: (sum: Sum) => string | number | null;
}

const domainKey = (form: Form) => (form === 'account' ? 'sending_domain_id' : 'domain_id');

const GROUPINGS: readonly Grouping[] = [
  { path: 'domains', key: domainKey, of: ({ domainId }) => domainId },
  { path: 'categories', key: () => 'category', of: ({ category }) => category },
  {
    path: 'email_service_providers',
    key: () => 'email_service_provider',
    of: ({ provider }) => provider,
  },
  { path: 'date', key: () => 'date', of: ({ day }) => day },
];

/** The endpoints of the statistics of the messages in the log. */
function statsRoutes({ sums }: World) {
  const grouped = ({ path, key, of }: Grouping) =>
    route(`GET /stats/${path}`, STATS, (exchange) => {
      const groups = new Map<string | number, Sum[]>();
      for (const sum of asked(sums, exchange)) {
        const group = of(sum);
        if (group !== null) groups.set(group, [...(groups.get(group) ?? []), sum]);
      }
      return ok(
        [...groups].map(([group, members]) => ({ [key(exchange.form)]: group, stats: figuresOf(members) })),
      );
    });

  return [
    route('GET /stats', STATS, (exchange) => ok(figuresOf(asked(sums, exchange)))),
    ...GROUPINGS.map(grouped),
  ];
}

/** The sums for the filters of a request, in the order of days. Refuses with 400 if a date is missing. */
function asked(sums: Sums, { query, token, now, form }: Exchange): Sum[] {
  const [from, to] = ['start_date', 'end_date'].map((name) => {
    const day = query.get(name) ?? '';
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw badRequest(`${name} is required, as YYYY-MM-DD`);
    return day;
  });
  const among = (name: string, value: string | number | null) => {
    const wanted = query.getAll(`${name}[]`);
    return wanted.length === 0 || wanted.includes(String(value));
  };
  return sums
    .of(token.accountId, now)
    .filter(
      ({ domainId, stream, category, provider, day }) =>
        reachesDomain(token, domainId) &&
        day >= (from ?? '') &&
        day <= (to ?? '') &&
        among(`${domainKey(form)}s`, domainId) &&
        among('sending_streams', stream) &&
        among('categories', category) &&
        among('email_service_providers', provider),
    )
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

/** Statistics of the messages in the log. */
export const stats = area<'sums'>({
  name: 'stats',
  keep: ({ state }) => ({ sums: new Sums(state) }),
  routes: statsRoutes,
});
