import { BLANK, FieldErrors, NOT_IN_LIST } from '../../wire/fields.ts';
import { isAllowedHost } from '../../../common/allowed-hosts.ts';
import { arrayOf, flag, oneOf, webUrl } from '../../../declare/kind.ts';
import { route, type Exchange } from '../../routing/route.ts';
import { ok, orNotFound } from '../../wire/reply.ts';
import { wrapped } from '../../routing/wrapper.ts';
import type { World } from '../../state/world.ts';
import { EVENT_TYPES } from '../../state/posts/event-sources.ts';
import { WEBHOOK_TYPES, type WebhookFields, type WebhookRecord } from '../../state/posts/webhooks.ts';

type Given = Readonly<Record<string, unknown>>;

const webhookType = oneOf(WEBHOOK_TYPES);
const sendingStream = oneOf(['transactional', 'bulk']);
const payloadFormat = oneOf(['json', 'jsonlines']);
const eventNames = arrayOf('event types', oneOf(EVENT_TYPES));

const WEBHOOKS = { area: 'webhooks' } as const;

/** The endpoints of webhooks. Only the response of the creation contains the secret. */
export function webhookRoutes(world: World) {
  const { webhooks, sources, logs } = world;
  const found = ({ params, token }: Exchange): WebhookRecord =>
    orNotFound(webhooks.find(token.accountId, Number(params.id)));
  return [
    route('GET /webhooks', WEBHOOKS, ({ token }) => ok({ data: webhooks.of(token.accountId).map(view) })),
    route('POST /webhooks', WEBHOOKS, (exchange) => {
      const webhook = webhooks.add(
        created(wrapped(exchange.body(), 'webhook'), world, exchange.token.accountId),
      );
      sources.added(webhook, logs, exchange.now);
      return ok({ data: { ...view(webhook), signing_secret: webhook.secret } });
    }),
    // As recorded, only this response has the inbox for webhooks of every type.
    route('GET /webhooks/{id}', WEBHOOKS, (exchange) => {
      const webhook = found(exchange);
      return ok({ data: { ...view(webhook), inbound_inbox_id: webhook.settings.inboxId } });
    }),
    route('PATCH /webhooks/{id}', WEBHOOKS, (exchange) => {
      const webhook = found(exchange);
      const errors = new FieldErrors();
      const input = wrapped(exchange.body(), 'webhook');
      const settings = settingsOf(input, webhook, world, errors);
      errors.throwIfAny();
      webhook.settings = settings;
      return ok({ data: view(webhook) });
    }),
    route('DELETE /webhooks/{id}', WEBHOOKS, (exchange) => {
      const webhook = found(exchange);
      webhooks.remove(webhook);
      return ok({ data: view(webhook) });
    }),
  ];
}

function created(input: Given, world: World, accountId: number): Omit<WebhookRecord, 'id' | 'secret'> {
  const errors = new FieldErrors();
  const { webhook_type: wanted, sending_stream: stream = null, domain_id: domainId = null } = input;
  const type = errors.check(webhookType, wanted, 'webhook_type', NOT_IN_LIST) ? wanted : undefined;
  if (type === 'email_sending')
    errors.check(
      sendingStream,
      stream,
      'sending_stream',
      [null, ''].includes(stream as null) ? BLANK : NOT_IN_LIST,
    );
  if (domainId !== null && world.domains.find(accountId, Number(domainId)) === undefined)
    errors.add('domain_id', 'must exist');
  const before: Pick<WebhookRecord, 'accountId' | 'type' | 'settings'> = {
    accountId,
    type: type ?? 'email_sending',
    settings: { url: '', active: true, format: 'json', eventTypes: [], inboxId: null },
  };
  const settings = settingsOf(input, before, world, errors);
  if ((type === 'email_sending' || type === 'campaigns') && settings.eventTypes.length === 0)
    errors.add('event_types', BLANK);
  errors.throwIfAny();
  return {
    ...before,
    stream: type === 'email_sending' ? String(stream) : null,
    domainId: domainId === null ? null : Number(domainId),
    settings,
  };
}

function settingsOf(
  input: Given,
  { accountId, settings }: Pick<WebhookRecord, 'accountId' | 'settings'>,
  { inbound, settings: { webhooks } }: World,
  errors: FieldErrors,
): WebhookFields {
  const {
    url = settings.url,
    payload_format: given,
    event_types: eventTypes = settings.eventTypes,
    inbound_inbox_id: inboxId = settings.inboxId,
  } = input;
  if (url === '' || url === null) errors.add('url', BLANK);
  errors.check(webUrl, url, 'url');
  const { host, port } = new URL(URL.canParse(String(url)) ? String(url) : 'https://none');
  // Posts to this machine, and to hosts that the test names, may use any port.
  if (!['', '80', '443'].includes(port) && !isAllowedHost(host, webhooks.hosts))
    errors.add('url', 'must use port 443 or 80');
  const format = errors.read(payloadFormat, given, settings.format, 'payload_format', NOT_IN_LIST);
  errors.check(eventNames, eventTypes, 'event_types');
  if (inboxId !== null && inbound.inboxes.find(accountId, Number(inboxId)) === undefined)
    errors.add('inbound_inbox_id', 'must exist');
  return {
    url: String(url),
    active: errors.read(flag, input.active, settings.active, 'active'),
    format,
    eventTypes: Array.isArray(eventTypes) ? (eventTypes as string[]) : [],
    inboxId: inboxId === null ? null : Number(inboxId),
  };
}

function view({ id, type, stream, domainId, settings }: WebhookRecord): Record<string, unknown> {
  return {
    id,
    url: settings.url,
    active: settings.active,
    webhook_type: type,
    payload_format: settings.format,
    // A webhook of the audit log has no sending stream or domain.
    ...(type === 'audit_log' ? {} : { sending_stream: stream, domain_id: domainId }),
    ...(type === 'inbound_receiving' ? { inbound_inbox_id: settings.inboxId } : {}),
    ...(type === 'audit_log' ? {} : { event_types: settings.eventTypes }),
  };
}
