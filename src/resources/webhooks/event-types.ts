import type { LiteralUnion } from 'type-fest';
import type { SendingStream } from '../email-logs/types.ts';

/** The common fields of events, besides the fields of their kind. */
interface EventBase<Kind extends string, Type extends string> {
  /** The kind of the event; determines its other fields. */
  kind: Kind;
  /** Type of the event, with its name in the email log. */
  event_type: Type;
  /** The name in the service's post, which differs for some types: `soft bounce`. */
  event: string;
  /** When the event happened, from seconds or milliseconds in the post; an invalid Date if the post has no time. */
  occurredAt: Date;
  /** The time as the service sent it. */
  timestamp: number;
}

/** The common fields of an email's events. */
interface SendingBase<Type extends string> extends EventBase<'sending', Type> {
  /** Id of the event: a repeated post has the same id. */
  event_id: string;
  /** Id of the message, as `sending.send` returned it. */
  message_id: string;
  /** Stream that the email was sent on. */
  sending_stream: SendingStream;
  /** Recipient. */
  email: string;
  /** Name of the sending domain. */
  sending_domain_name: string;
  /** Category that the email was sent with. */
  category?: string | null | undefined;
  /** Custom variables that the email was sent with. */
  custom_variables?: Record<string, unknown> | null | undefined;
}

/** An email was delivered, or its recipient complained about it. */
export type DeliveredEvent = SendingBase<'delivery' | 'spam'>;

/** An email was opened, or its recipient unsubscribed. */
export interface OpenedEvent extends SendingBase<'open' | 'unsubscribe'> {
  /** IP address of the recipient's browser. */
  ip?: string | null | undefined;
  /** User agent of the recipient's browser. */
  user_agent?: string | null | undefined;
}

/** A link in an email was clicked. */
export interface ClickedEvent extends SendingBase<'click'> {
  /** URL of the link. */
  url?: string | null | undefined;
  /** IP address of the recipient's browser. */
  ip?: string | null | undefined;
  /** User agent of the recipient's browser. */
  user_agent?: string | null | undefined;
}

/** An email could not be delivered, for now (`soft_bounce`) or at all. */
export interface BouncedEvent extends SendingBase<'soft_bounce' | 'bounce'> {
  /** The response of the recipient's mail server. */
  response?: string | null | undefined;
  /** Its status code. */
  response_code?: number | null | undefined;
  /** Category of the bounce. */
  bounce_category?: string | null | undefined;
}

/** An email was not sent. */
export interface RejectedEvent extends SendingBase<'suspension' | 'reject'> {
  /** The reason. */
  reason?: string | null | undefined;
}

/** An event of an email, also of a campaign. Undocumented fields are kept. */
export type SendingEvent = DeliveredEvent | OpenedEvent | ClickedEvent | BouncedEvent | RejectedEvent;

/** An action of a user or a token in the account. */
export interface AuditEvent extends EventBase<'audit', `activity_log.${string}`> {
  /**
   * Id of the event. The service does not document it for these events: without it, only the content identifies a
   * repeated post.
   */
  event_id?: string | undefined;
  /** The action, as readable text. */
  description: string;
  /** The user or token that acted; only a name if it was the service itself. */
  actor: {
    /** Id of the user or token. */
    id?: number | string | undefined;
    /** Whether a user or a token acted. */
    type?: LiteralUnion<'user' | 'api_token', string> | undefined;
    /** Name of the user or token, or of the service. */
    name: string;
  };
  /** The resource that was changed. */
  resource?:
    | {
        /** Id of the resource. */
        id: number | string;
        /** Type of the resource. */
        type: string;
        /** Name of the resource. */
        name: string;
      }
    | null
    | undefined;
  /** The fields that were changed, by name. */
  changes?:
    | Record<
        string,
        {
          /** Value before. */
          from?: unknown;
          /** Value after. */
          to?: unknown;
        }
      >
    | null
    | undefined;
}

/** An inbound inbox received a message. */
export interface InboundEvent extends EventBase<'inbound', 'inbound.message_received'> {
  /** Id of the event; absent in test posts of the service's web interface. */
  event_id?: string | undefined;
  /** Id of the inbox, for `inbound.messages.get`. */
  inbox_id: number;
  /** Id of the message, for `inbound.messages.get`. */
  message_id: string;
  /** Sender of the message. */
  from?: string | null | undefined;
}

/** An event of a type that the service has added since. */
export interface UnknownEvent extends EventBase<'unknown', string> {
  /** Id of the event, if it has one. */
  event_id?: string | undefined;
  /** Other fields of the post. */
  [field: string]: unknown;
}

/** An event that the service posted: its fields, and `kind`, `event_type` and `occurredAt`. */
export type WebhookEvent = SendingEvent | AuditEvent | InboundEvent | UnknownEvent;
