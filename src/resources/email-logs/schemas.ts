import * as z from 'zod';
import type {
  BounceDetails,
  ClickDetails,
  DeliveryDetails,
  KnownEmailLogEvent,
  RejectDetails,
  SpamDetails,
  UnknownEmailLogEvent,
  WebDetails,
} from './event-types.ts';
import type { EmailLogMessage } from './types.ts';
import { issuesIn } from '../base/schema-issues.ts';
import type { EmailLogResponses } from './endpoints.ts';
import type { SchemaFor, SchemaOf } from '../base/schema-of.ts';

/** The details of every known type of event. */
function detailsByType(): ReadonlyMap<string, z.ZodType> {
  const text = z.string().nullish();
  const web = z.looseObject({ web_ip_address: text }) satisfies SchemaOf<WebDetails>;
  const delivery = z.looseObject({
    sending_ip: text,
    recipient_mx: text,
    email_service_provider: text,
  }) satisfies SchemaOf<DeliveryDetails>;
  const bounce = delivery.extend({
    email_service_provider_status: text,
    email_service_provider_response: text,
    bounce_category: text,
  }) satisfies SchemaOf<BounceDetails>;
  const reject = z.looseObject({ reject_reason: text }) satisfies SchemaOf<RejectDetails>;
  const details: Readonly<Record<KnownEmailLogEvent['event_type'], z.ZodType>> = {
    delivery,
    open: web,
    click: web.extend({ click_url: z.string().nullable() }) satisfies SchemaOf<ClickDetails>,
    soft_bounce: bounce,
    bounce,
    spam: z.looseObject({ spam_feedback_type: text }) satisfies SchemaOf<SpamDetails>,
    unsubscribe: web,
    suspension: reject,
    reject,
  };
  return new Map(Object.entries(details));
}

const details = detailsByType();

/** An event of an email. The details have to match a known type; an event of an unknown type passes. */
export const emailLogEvent = z
  .looseObject({
    event_type: z.string(),
    created_at: z.string(),
    details: z.record(z.string(), z.unknown()),
  })
  .check(({ value, issues }) => {
    const schema = details.get(value.event_type);
    if (schema) issues.push(...issuesIn(schema, value.details, ['details']));
  }) satisfies SchemaOf<UnknownEmailLogEvent>;

/** A sent email, as `emailLogs.list` returns it. */
export const emailLogMessage = z.looseObject({
  message_id: z.string(),
  status: z.string(),
  subject: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  sent_at: z.string(),
  client_ip: z.string().nullable(),
  category: z.string().nullable(),
  custom_variables: z.record(z.string(), z.unknown()).nullable(),
  sending_stream: z.string(),
  // The client adds this field to a message with the other name of the domain.
  domain_id: z.int(),
  sending_domain_id: z.int().optional(),
  template_id: z.int().nullable(),
  template_variables: z.record(z.string(), z.unknown()).nullable(),
  opens_count: z.int(),
  clicks_count: z.int(),
  rfc_message_id: z.string().nullish(),
  in_reply_to: z.string().nullish(),
  references: z.array(z.string()).optional(),
  thread_id: z.string().nullish(),
}) satisfies SchemaOf<EmailLogMessage>;

/** A sent email with its events: the result of `emailLogs.get`. */
export const emailLogMessageDetails = emailLogMessage.extend({
  raw_message_url: z.string(),
  events: z.array(emailLogEvent),
}) satisfies SchemaFor<EmailLogResponses['emailLogMessageDetails']>;

/** The response of `emailLogs.list`: one page. */
export const emailLogPage = z.looseObject({
  messages: z.array(emailLogMessage),
  total_count: z.int(),
  next_page_cursor: z.string().nullable(),
}) satisfies SchemaFor<EmailLogResponses['emailLogPage']>;
