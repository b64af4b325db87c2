import { created, notFound, ok, type Area, type Route } from '../../route.ts';
import type { Random } from '../../random.ts';
import type { DomainStore } from '../domains/store.ts';
import { FieldErrors } from '../field-errors.ts';
import { inBothForms } from '../forms.ts';
import { route as routeOf } from '../logs/events.ts';
import { pageAfter, readAddress, wantedBy } from './reading.ts';
import type { SuppressionRecord, SuppressionStore, SuppressionType } from './store.ts';

const TYPES: readonly unknown[] = ['hard bounce', 'unsubscription', 'spam complaint', 'manual import'];
const STREAMS: readonly unknown[] = ['transactional', 'bulk'];

/** Suppressions: addresses that no longer receive email. */
export function createSuppressions(
  store: SuppressionStore,
  domains: DomainStore,
  random: Random,
  pageSize: number,
): Area {
  const view = (suppression: SuppressionRecord) =>
    suppressionView(suppression, domains.get(suppression.domainId)?.name ?? '');
  const endpoint = (route: Omit<Route, 'path' | 'pool' | 'permission'>) => () => ({
    ...route,
    pool: 'suppressions' as const,
    permission: ['suppressions', route.method === 'GET' ? 'viewer' : 'admin'] as const,
  });

  return {
    routes: [
      ...inBothForms(
        '/suppressions',
        endpoint({
          method: 'GET',
          handler: ({ token, query, now }) => {
            const wanted = store.list(token.accountId, now).filter(wantedBy(query));
            return ok(pageAfter(wanted, query, pageSize).items.map(view));
          },
        }),
      ),
      ...inBothForms(
        '/suppressions',
        endpoint({
          method: 'POST',
          handler: ({ body, token, now }) => {
            const given = read(body(), domains, token.accountId);
            const { accountId } = token;
            const suppression = { id: random.uuid(), accountId, createdAt: now, message: null, ...given };
            return created({ data: view(store.add(suppression)) });
          },
        }),
      ),
      ...inBothForms(
        '/suppressions/:id',
        endpoint({
          method: 'DELETE',
          handler: ({ params, token }) => {
            const removed = store.remove(token.accountId, params.id ?? '');
            if (removed === undefined) throw notFound();
            return ok(view(removed));
          },
        }),
      ),
    ],
  };
}

function read(
  body: Readonly<Record<string, unknown>>,
  domains: DomainStore,
  accountId: number,
): Pick<SuppressionRecord, 'email' | 'type' | 'stream' | 'domainId'> {
  const errors = new FieldErrors();
  const address = readAddress(body, domains, accountId, errors);
  const { sending_stream: stream, type = 'manual import' } = body;
  if (!STREAMS.includes(stream)) errors.add('sending_stream', 'is not included in the list');
  if (!TYPES.includes(type)) errors.add('type', 'is not included in the list');
  errors.throwIfAny();
  return {
    ...address,
    type: type as SuppressionType,
    stream: stream as SuppressionRecord['stream'],
  };
}

/** Unknown values are empty strings, as recorded, even for dates. */
function suppressionView(suppression: SuppressionRecord, domainName: string): Record<string, unknown> {
  const { message } = suppression;
  const route = message === null ? undefined : routeOf(message);
  return {
    id: suppression.id,
    type: suppression.type,
    created_at: new Date(suppression.createdAt).toISOString().replace(/\.\d+/, ''),
    email: suppression.email,
    sending_stream: suppression.stream,
    domain_name: domainName,
    message_bounce_category: suppression.type === 'hard bounce' && message !== null ? 'badmailbox' : '',
    message_category: message?.mail.category ?? '',
    message_client_ip: message?.mail.clientIp ?? '',
    message_created_at: message === null ? '' : new Date(message.sentAt).toISOString(),
    message_esp_response: '',
    message_esp_server_type: '',
    message_outgoing_ip: route?.sending_ip ?? '',
    message_recipient_mx_name: route?.recipient_mx ?? '',
    message_sender_email: message?.mail.from ?? '',
    message_subject: message?.mail.subject ?? '',
  };
}
