import { FieldErrors, INVALID, NOT_IN_LIST } from '../../wire/fields.ts';
import { oneOf } from '../../../declare/kind.ts';
import { iso } from '../../../encoding/iso.ts';
import { pageAfter } from '../../routing/pages.ts';
import { route } from '../../routing/route.ts';
import { created, ok, Refusal } from '../../wire/reply.ts';
import { area } from '../../routing/area.ts';
import { emailError } from '../../state/audience/contact-input.ts';
import { routeTo } from '../../state/emails/events.ts';
import type { DomainStore } from '../../state/account/domains.ts';
import type { World } from '../../state/world.ts';
import {
  type Cause,
  SUPPRESSION_TYPES,
  suppressionOptions,
  type SuppressionRecord,
  SuppressionStore,
  type SuppressionType,
} from '../../state/audience/suppressions.ts';

/** The fields that items of the two lists share. */
interface Listed {
  readonly email: string;
  readonly createdAt: number;
}

/** Returns a test whether an item matches the query of a list. */
export function wantedBy(query: URLSearchParams): (item: Listed) => boolean {
  const email = query.get('email')?.toLowerCase();
  const time = (name: string) => Date.parse(query.get(name) ?? '');
  const from = time('start_time');
  const to = time('end_time');
  return (item) =>
    (email === undefined || item.email.toLowerCase() === email) &&
    !(item.createdAt < from) &&
    !(item.createdAt > to);
}

/** Returns its argument. Refuses with 404, in the format of these lists, if it is `undefined`. */
export function orNotListed<T>(found: T | undefined, what: string): T {
  if (found === undefined)
    throw new Refusal({ status: 404, json: { errors: { base: [`${what} not found`] } } });
  return found;
}

/** Reads the address and the sending domain of a body. Adds the problems to `errors`. */
export function readAddress(
  { email, domain_id: domainId }: Readonly<Record<string, unknown>>,
  domains: DomainStore,
  accountId: number,
  errors: FieldErrors,
): { readonly email: string; readonly domainId: number } {
  const wrong = emailError(email);
  if (wrong !== undefined) errors.add('email', wrong === INVALID ? 'format is invalid' : wrong);
  const domain = typeof domainId === 'number' ? domains.anywhere(domainId) : undefined;
  if (domain?.accountId !== accountId) errors.add('domain_id', 'must exist');
  return { email: String(email), domainId: Number(domainId) };
}

const suppressionType = oneOf(SUPPRESSION_TYPES);
const sendingStream = oneOf(['transactional', 'bulk']);

const SUPPRESSIONS = { area: 'suppressions', pool: 'suppressions' } as const;

/** The endpoints of suppressions: addresses that no longer receive email. */
function suppressionRoutes({ suppressions, domains, streams, settings }: World) {
  const random = streams.of('messages');
  const view = (suppression: SuppressionRecord) =>
    suppressionView(suppression, domains.anywhere(suppression.domainId)?.name ?? null);

  return [
    route('GET /suppressions', SUPPRESSIONS, ({ token, query, now }) => {
      const wanted = suppressions.list(token.accountId, now).filter(wantedBy(query));
      return ok(pageAfter(wanted, query, settings.suppressions.pageSize).items.map(view));
    }),
    route('POST /suppressions', SUPPRESSIONS, ({ body, token, now }) => {
      const input = read(body(), domains, token.accountId);
      const { accountId } = token;
      const suppression = { id: random.uuid(), accountId, createdAt: now, cause: null, ...input };
      return created({ data: view(suppressions.put(suppression)) });
    }),
    route('DELETE /suppressions/{id}', SUPPRESSIONS, ({ params, token }) => {
      const one = suppressions.find(token.accountId, (params.id ?? '').toLowerCase());
      const found = orNotListed(one, 'Suppression');
      suppressions.remove(found);
      return ok(view(found));
    }),
  ];
}

function read(
  body: Readonly<Record<string, unknown>>,
  domains: DomainStore,
  accountId: number,
): Pick<SuppressionRecord, 'email' | 'type' | 'stream' | 'domainId'> {
  const errors = new FieldErrors();
  const address = readAddress(body, domains, accountId, errors);
  const { sending_stream: stream, type = 'manual import' } = body;
  errors.check(sendingStream, stream, 'sending_stream', NOT_IN_LIST);
  errors.check(suppressionType, type, 'type', NOT_IN_LIST);
  errors.throwIfAny();
  return {
    ...address,
    type: type as SuppressionType,
    stream: stream as SuppressionRecord['stream'],
  };
}

/** A suppression. Unknown fields of its message are empty strings; without a message, all of the message's fields are null. */
function suppressionView(suppression: SuppressionRecord, domainName: string | null): Record<string, unknown> {
  const { cause } = suppression;
  const of = (known: (cause: Cause) => string | null | undefined) =>
    cause === null ? null : (known(cause) ?? '');
  const route = cause === null ? undefined : routeTo(cause.to, cause.stream);
  return {
    id: suppression.id,
    type: suppression.type,
    created_at: iso(suppression.createdAt),
    email: suppression.email,
    sending_stream: suppression.stream,
    domain_name: domainName,
    message_bounce_category: of(() => (suppression.type === 'hard bounce' ? 'Bad recipient' : '')),
    message_category: of(({ category }) => category),
    message_client_ip: of(({ clientIp }) => clientIp),
    message_created_at: of(({ sentAt }) => iso(sentAt).replace(/\.\d+/, '')),
    message_esp_response: of(() => ''),
    message_esp_server_type: of(() => ''),
    message_outgoing_ip: of(() => route?.sending_ip),
    message_recipient_mx_name: of(() => route?.recipient_mx),
    message_sender_email: of(({ from }) => from),
    message_subject: of(({ subject }) => subject),
  };
}

/** Suppressions: addresses that no longer receive email. */
export const suppressions = area<'suppressions', 'suppressions'>({
  name: 'suppressions',
  options: { suppressions: suppressionOptions },
  keep: ({ state }) => ({ suppressions: new SuppressionStore(state) }),
  routes: suppressionRoutes,
});
