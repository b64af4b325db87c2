import type { LiteralUnion } from 'type-fest';

interface EventBase<Type extends string, Details> {
  /** Type of the event. */
  event_type: Type;
  /** When the event happened, as an ISO 8601 date-time. */
  created_at: string;
  /** Details of the event, depending on its type. */
  details: Details;
}

/** Details of an email's delivery. */
export interface DeliveryDetails {
  /** IP address the email was sent from. */
  sending_ip?: string | null | undefined;
  /** Host name of the recipient's mail server (MX). */
  recipient_mx?: string | null | undefined;
  /** The recipient's email provider, such as `Google`. */
  email_service_provider?: string | null | undefined;
}

/** Details of an email's bounce. */
export interface BounceDetails extends DeliveryDetails {
  /** Status code the recipient's mail server responded with. */
  email_service_provider_status?: string | null | undefined;
  /** The mail server's response text. */
  email_service_provider_response?: string | null | undefined;
  /** Category of the bounce. */
  bounce_category?: string | null | undefined;
}

/** Details of an open or an unsubscription. */
export interface WebDetails {
  /** IP address of the recipient's browser. */
  web_ip_address?: string | null | undefined;
}

/** Details of a click. */
export interface ClickDetails extends WebDetails {
  /** URL of the clicked link; null if the service does not have it. */
  click_url: string | null;
}

/** Details of a spam complaint. */
export interface SpamDetails {
  /** Type of the complaint, as the email provider reported it. */
  spam_feedback_type?: string | null | undefined;
}

/** Details of an email that was not sent. */
export interface RejectDetails {
  /** The service's reason for not sending the email. */
  reject_reason?: string | null | undefined;
}

/** An event of a type this version of the package knows. */
export type KnownEmailLogEvent =
  | EventBase<'delivery', DeliveryDetails>
  | EventBase<'open' | 'unsubscribe', WebDetails>
  | EventBase<'click', ClickDetails>
  | EventBase<'soft_bounce' | 'bounce', BounceDetails>
  | EventBase<'spam', SpamDetails>
  | EventBase<'suspension' | 'reject', RejectDetails>;

/** An event of a type the service has added since. */
export type UnknownEmailLogEvent = EventBase<string, Record<string, unknown>>;

/** An event of an email. After a check with `isKnownEmailLogEvent`, `event_type` determines the details. */
export type EmailLogEvent = KnownEmailLogEvent | UnknownEmailLogEvent;

/** Type of an event: one of the known ones, or one the service has added since. */
export type EmailLogEventType = LiteralUnion<KnownEmailLogEvent['event_type'], string>;

/** The event types this version of the package knows. */
export const EMAIL_LOG_EVENT_TYPES = [
  'delivery',
  'open',
  'click',
  'soft_bounce',
  'bounce',
  'spam',
  'unsubscribe',
  'suspension',
  'reject',
] as const satisfies KnownEmailLogEvent['event_type'][];

/** Whether this version of the package knows an event's type; a `switch` over its `event_type` then narrows. */
export function isKnownEmailLogEvent(event: EmailLogEvent): event is KnownEmailLogEvent {
  return (EMAIL_LOG_EVENT_TYPES as readonly string[]).includes(event.event_type);
}
