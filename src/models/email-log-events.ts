interface EventBase<Type extends string, Details> {
  /** What happened. */
  event_type: Type;
  /** ISO 8601 date-time. */
  created_at: string;
  /** What else is known of it. */
  details: Details;
}

/** Where a mail was handed over. */
export interface DeliveryDetails {
  /** Address it was sent from. */
  sending_ip?: string | null;
  /** Mail server it was handed to. */
  recipient_mx?: string | null;
  /** Who runs that server. */
  email_service_provider?: string | null;
}

/** Why a mail came back. */
export interface BounceDetails extends DeliveryDetails {
  /** Status the server answered with. */
  email_service_provider_status?: string | null;
  /** Its words. */
  email_service_provider_response?: string | null;
  /** What kind of bounce. */
  bounce_category?: string | null;
}

/** Who opened a mail, or unsubscribed. */
export interface WebDetails {
  /** Address of the reader's browser. */
  web_ip_address?: string | null;
}

/** What was clicked. */
export interface ClickDetails extends WebDetails {
  /** The link. */
  click_url: string;
}

/** What kind of complaint it was. */
export interface SpamDetails {
  /** As the provider reported it. */
  spam_feedback_type?: string | null;
}

/** Why a mail was not sent. */
export interface RejectDetails {
  /** The service's reason. */
  reject_reason?: string | null;
}

/** An event of a type this version of the package knows; `click` and `spam` by the specification, the others by the public reference. */
export type KnownEmailLogEvent =
  | EventBase<'delivery', DeliveryDetails>
  | EventBase<'open' | 'unsubscribe', WebDetails>
  | EventBase<'click', ClickDetails>
  | EventBase<'soft_bounce' | 'bounce', BounceDetails>
  | EventBase<'spam', SpamDetails>
  | EventBase<'suspension' | 'reject', RejectDetails>;

/** An event of a type the service has added since. */
export type UnknownEmailLogEvent = EventBase<string, Record<string, unknown>>;

/** Something that happened to a mail. `isKnownEmailLogEvent` tells the known ones, whose `event_type` then tells the details. */
export type EmailLogEvent = KnownEmailLogEvent | UnknownEmailLogEvent;

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

/** Whether an event is of a type this version of the package knows; a `switch` over its `event_type` then narrows. */
export function isKnownEmailLogEvent(event: EmailLogEvent): event is KnownEmailLogEvent {
  return (EMAIL_LOG_EVENT_TYPES as readonly string[]).includes(event.event_type);
}
