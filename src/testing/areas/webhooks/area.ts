import { notFound, ok, type Area, type Exchange, type Route } from '../../route.ts';
import type { DomainStore } from '../domains/store.ts';
import { BLANK, FieldErrors, flag, INVALID } from '../field-errors.ts';
import { inBothForms } from '../forms.ts';
import { wrapped } from '../wrapper.ts';
import { EVENT_TYPES } from './events.ts';
import { WEBHOOK_TYPES, type WebhookRecord, type WebhookSettings, type WebhookStore } from './store.ts';

/** What webhooks refer to. */
export interface WebhookParts {
  readonly store: WebhookStore;
  readonly domains: DomainStore;
  readonly hasInbox: (accountId: number, id: number) => boolean;
  /** Called with every new webhook. */
  readonly onAdd: (webhook: WebhookRecord, now: number) => void;
}

type Given = Readonly<Record<string, unknown>>;

const NOT_IN_LIST = 'is not included in the list';
const FORMATS: readonly unknown[] = ['json', 'jsonlines'];

/** Webhooks. A secret is told once, when its webhook is created. */
export function createWebhooks(parts: WebhookParts): Area {
  const { store } = parts;
  const found = ({ params, token }: Exchange): WebhookRecord => {
    const webhook = store.find(token.accountId, Number(params.id));
    if (webhook === undefined) throw notFound();
    return webhook;
  };
  const routes = (tail: string, method: Route['method'], handler: Route['handler']) =>
    inBothForms(`/webhooks${tail}`, () => ({
      method,
      handler,
      permission: ['webhooks', method === 'GET' ? 'viewer' : 'admin'],
    }));
  return {
    routes: [
      ...routes('', 'GET', ({ token }) => ok({ data: store.of(token.accountId).map(view) })),
      ...routes('', 'POST', (exchange) => {
        const webhook = store.add(
          created(wrapped(exchange.body(), 'webhook'), parts, exchange.token.accountId),
        );
        parts.onAdd(webhook, exchange.now);
        return ok({ data: { ...view(webhook), signing_secret: webhook.secret } });
      }),
      // As recorded, this response alone has the inbox for webhooks of every type.
      ...routes('/:id', 'GET', (exchange) => {
        const webhook = found(exchange);
        return ok({ data: { ...view(webhook), inbound_inbox_id: webhook.settings.inboxId } });
      }),
      ...routes('/:id', 'PATCH', (exchange) => {
        const webhook = found(exchange);
        const errors = new FieldErrors();
        const given = wrapped(exchange.body(), 'webhook');
        const settings = settingsOf(given, webhook, parts, errors);
        errors.throwIfAny();
        webhook.settings = settings;
        return ok({ data: view(webhook) });
      }),
      ...routes('/:id', 'DELETE', (exchange) => {
        const webhook = found(exchange);
        store.remove(webhook);
        return ok({ data: view(webhook) });
      }),
    ],
  };
}

function created(given: Given, parts: WebhookParts, accountId: number): Omit<WebhookRecord, 'id' | 'secret'> {
  const errors = new FieldErrors();
  const type = WEBHOOK_TYPES.find((known) => known === given.webhook_type);
  if (type === undefined) errors.add('webhook_type', NOT_IN_LIST);
  const { sending_stream: stream = null, domain_id: domainId = null } = given;
  if (type === 'email_sending' && stream !== 'transactional' && stream !== 'bulk')
    errors.add('sending_stream', NOT_IN_LIST);
  if (domainId !== null && parts.domains.get(Number(domainId))?.accountId !== accountId)
    errors.add('domain_id', 'must exist');
  const before: Pick<WebhookRecord, 'accountId' | 'type' | 'settings'> = {
    accountId,
    type: type ?? 'email_sending',
    settings: { url: '', active: true, format: 'json', eventTypes: [], inboxId: null },
  };
  const settings = settingsOf(given, before, parts, errors);
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
  given: Given,
  { accountId, settings }: Pick<WebhookRecord, 'accountId' | 'settings'>,
  { hasInbox }: WebhookParts,
  errors: FieldErrors,
): WebhookSettings {
  const {
    url = settings.url,
    payload_format: format = settings.format,
    event_types: eventTypes = settings.eventTypes,
    inbound_inbox_id: inboxId = settings.inboxId,
  } = given;
  if (url === '' || url === null) errors.add('url', BLANK);
  if (typeof url !== 'string' || !isAddress(url)) errors.add('url', INVALID);
  if (!FORMATS.includes(format)) errors.add('payload_format', NOT_IN_LIST);
  if (!Array.isArray(eventTypes) || !eventTypes.every((name) => EVENT_TYPES.includes(name as string)))
    errors.add('event_types', INVALID);
  if (inboxId !== null && !hasInbox(accountId, Number(inboxId))) errors.add('inbound_inbox_id', 'must exist');
  return {
    url: String(url),
    active: flag(given.active, settings.active, 'active', errors),
    format: format as WebhookSettings['format'],
    eventTypes: Array.isArray(eventTypes) ? (eventTypes as string[]) : [],
    inboxId: inboxId === null ? null : Number(inboxId),
  };
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function view({ id, type, stream, domainId, settings }: WebhookRecord): Record<string, unknown> {
  return {
    id,
    url: settings.url,
    active: settings.active,
    webhook_type: type,
    payload_format: settings.format,
    // That of the audit log is about no sending.
    ...(type === 'audit_log' ? {} : { sending_stream: stream, domain_id: domainId }),
    ...(type === 'inbound_receiving' ? { inbound_inbox_id: settings.inboxId } : {}),
    ...(type === 'audit_log' ? {} : { event_types: settings.eventTypes }),
  };
}
