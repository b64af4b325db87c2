import type { LiteralUnion } from 'type-fest';
import type { SendingStream } from '../email-logs/types.ts';

/** What every event has, besides the fields of its kind. */
interface EventBase<Kind extends string, Type extends string> {
  /** What the event is about; decides which other fields there are. */
  kind: Kind;
  /** Type of the event, as the email log calls it. */
  event_type: Type;
  /** The name that the service sent for it, which differs for some types: `soft bounce`. */
  event: string;
  /** When the event happened, whether the service sent seconds or milliseconds; an invalid Date if it sent no time. */
  occurredAt: Date;
  /** The time as the service sent it. */
  timestamp: number;
}

/** What every event of an email has. */
interface SendingBase<Type extends string> extends EventBase<'sending', Type> {
  /** Id of the event: a repeated post has the same, so that it can be recognized. */
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
  /** Why it was not. */
  reason?: string | null | undefined;
}

/** Something that happened to an email, of a campaign too. Fields that are not documented are passed on. */
export type SendingEvent = DeliveredEvent | OpenedEvent | ClickedEvent | BouncedEvent | RejectedEvent;

/** Something that a person or a token did in the account. */
export interface AuditEvent extends EventBase<'audit', `activity_log.${string}`> {
  /** Id of the event. Not documented for these: without it, a repeated post can be recognized by its content alone. */
  event_id?: string | undefined;
  /** What happened, for people to read. */
  description: string;
  /** Who did it. Only a name if it was the service itself. */
  actor: {
    /** Id of the user or token. */
    id?: number | string | undefined;
    /** Whether it was a person or a token. */
    type?: LiteralUnion<'user' | 'api_token', string> | undefined;
    /** Name of the user or token, or of the service. */
    name: string;
  };
  /** What it was done to. */
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
  /** Id of the event; not in the posts that the service's web interface makes as a test. */
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
  /** Whatever else the service sent. */
  [field: string]: unknown;
}

/** An event that the service posted: what it sent, with `kind`, `event_type` and `occurredAt` besides. */
export type WebhookEvent = SendingEvent | AuditEvent | InboundEvent | UnknownEvent;
