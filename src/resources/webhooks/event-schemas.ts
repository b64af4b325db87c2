import * as z from 'zod';
import type {
  AuditEvent,
  BouncedEvent,
  ClickedEvent,
  DeliveredEvent,
  InboundEvent,
  OpenedEvent,
  RejectedEvent,
  SendingEvent,
  UnknownEvent,
  WebhookEvent,
} from './event-types.ts';
import type { SchemaOf } from '../base/schema-of.ts';

/** The common fields of events. */
const base = z.looseObject({ event: z.string(), occurredAt: z.date(), timestamp: z.number() });

const text = z.string().nullish();
const sending = base.extend({
  kind: z.literal('sending'),
  event_id: z.string(),
  message_id: z.string(),
  sending_stream: z.string(),
  email: z.string(),
  sending_domain_name: z.string(),
  category: text,
  custom_variables: z.record(z.string(), z.unknown()).nullish(),
});
const web = sending.extend({ ip: text, user_agent: text });

/** An event of an email, as `readWebhook` returns it; its type determines its fields. */
export const sendingEvent = z.discriminatedUnion('event_type', [
  sending.extend({
    event_type: z.literal(['delivery', 'spam']),
  }) satisfies SchemaOf<DeliveredEvent>,
  web.extend({ event_type: z.literal(['open', 'unsubscribe']) }) satisfies SchemaOf<OpenedEvent>,
  web.extend({ event_type: z.literal('click'), url: text }) satisfies SchemaOf<ClickedEvent>,
  sending.extend({
    event_type: z.literal(['soft_bounce', 'bounce']),
    response: text,
    response_code: z.int().nullish(),
    bounce_category: text,
  }) satisfies SchemaOf<BouncedEvent>,
  sending.extend({
    event_type: z.literal(['suspension', 'reject']),
    reason: text,
  }) satisfies SchemaOf<RejectedEvent>,
]) satisfies z.ZodType<SendingEvent>;

const actorId = z.union([z.int(), z.string()]);

/** An action in the account, as `readWebhook` returns it. */
export const auditEvent = base.extend({
  kind: z.literal('audit'),
  event_type: z.templateLiteral(['activity_log.', z.string()]),
  event_id: z.string().optional(),
  description: z.string(),
  actor: z.looseObject({ id: actorId.optional(), type: z.string().optional(), name: z.string() }),
  resource: z.looseObject({ id: actorId, type: z.string(), name: z.string() }).nullish(),
  changes: z
    .record(z.string(), z.looseObject({ from: z.unknown().optional(), to: z.unknown().optional() }))
    .nullish(),
}) satisfies SchemaOf<AuditEvent>;

/** A message that an inbox received, as `readWebhook` returns it. */
export const inboundEvent = base.extend({
  kind: z.literal('inbound'),
  event_type: z.literal('inbound.message_received'),
  event_id: z.string().optional(),
  inbox_id: z.int(),
  message_id: z.string(),
  from: z.string().nullish(),
}) satisfies SchemaOf<InboundEvent>;

const unknownEvent = base.extend({
  kind: z.literal('unknown'),
  event_type: z.string(),
  event_id: z.string().optional(),
}) satisfies z.ZodType<UnknownEvent>;

/** Any event that `readWebhook` returns. An event of the kind `unknown` needs only a name. */
export const webhookEvent = z.discriminatedUnion('kind', [
  sendingEvent,
  auditEvent,
  inboundEvent,
  unknownEvent,
]) satisfies z.ZodType<WebhookEvent>;
