import { badRequest, ok, type Area, type Exchange, type Route } from '../../route.ts';
import { inBothForms, type Form } from '../forms.ts';
import { route as routeOf } from '../logs/events.ts';
import { reachable } from '../logs/query.ts';
import type { LogRecord } from '../logs/record.ts';
import type { LogStore } from '../logs/store.ts';
import { figuresOf } from './figures.ts';

/** A way to group messages: the key of a group in the response, and the group that a message belongs to. */
interface Grouping {
  readonly path: string;
  readonly key: (form: Form) => string;
  readonly of: (record: LogRecord) => string | number | null;
}

const domainKey = (form: Form) => (form === 'account' ? 'sending_domain_id' : 'domain_id');
const dayOf = ({ sentAt }: LogRecord) => new Date(sentAt).toISOString().slice(0, 10);
const providerOf = (record: LogRecord) => routeOf(record).email_service_provider;

const GROUPINGS: readonly Grouping[] = [
  { path: 'domains', key: domainKey, of: ({ mail }) => mail.domainId },
  { path: 'categories', key: () => 'category', of: ({ mail }) => mail.category },
  { path: 'email_service_providers', key: () => 'email_service_provider', of: providerOf },
  { path: 'date', key: () => 'date', of: dayOf },
];

/** Statistics, computed from the log. */
export function createStats(logs: LogStore): Area {
  const endpoint = (handler: (form: Form) => Route['handler']) => (form: Form) => ({
    method: 'GET' as const,
    pool: 'stats' as const,
    permission: ['stats', 'viewer'] as const,
    handler: handler(form),
  });

  return {
    routes: [
      ...inBothForms(
        '/stats',
        endpoint((form) => (exchange) => ok(figuresOf(asked(logs, exchange, form), exchange.now))),
      ),
      ...GROUPINGS.flatMap((grouping) =>
        inBothForms(
          `/stats/${grouping.path}`,
          endpoint((form) => (exchange) => {
            const groups = new Map<string | number, LogRecord[]>();
            for (const record of asked(logs, exchange, form)) {
              const group = grouping.of(record);
              if (group === null) continue;
              const members = groups.get(group) ?? [];
              members.push(record);
              groups.set(group, members);
            }
            return ok(
              [...groups].map(([group, records]) => ({
                [grouping.key(form)]: group,
                stats: figuresOf(records, exchange.now),
              })),
            );
          }),
        ),
      ),
    ],
  };
}

/** The messages that a request asks about. Refuses with 400 if a date is missing. */
function asked(logs: LogStore, { query, token }: Exchange, form: Form): LogRecord[] {
  const [from, to] = ['start_date', 'end_date'].map((name) => {
    const day = query.get(name) ?? '';
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw badRequest(`${name} is required, as YYYY-MM-DD`);
    return day;
  });
  const among = (name: string, value: string | number | null) => {
    const wanted = query.getAll(`${name}[]`);
    return wanted.length === 0 || wanted.includes(String(value));
  };
  return logs.sorted(token.accountId).filter((record) => {
    const day = dayOf(record);
    return (
      reachable(token, record) &&
      day >= (from ?? '') &&
      day <= (to ?? '') &&
      among(`${domainKey(form)}s`, record.mail.domainId) &&
      among('sending_streams', record.mail.stream) &&
      among('categories', record.mail.category) &&
      among('email_service_providers', providerOf(record))
    );
  });
}
