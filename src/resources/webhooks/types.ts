import type { LiteralUnion } from 'type-fest';
import type { Page } from '../../core/pager.ts';
import type { SendingStream } from '../email-logs/types.ts';

/** What a webhook tells of: one of the known areas, or one the service has added since. */
export type WebhookType = LiteralUnion<
  'email_sending' | 'campaigns' | 'audit_log' | 'inbound_receiving',
  string
>;

/**
 * An event that a webhook can be subscribed to: one of the known ones, or one the service has added since. The log and
 * the events themselves have other names for some: `spam_complaint` is `spam` there.
 */
export type WebhookEventType = LiteralUnion<
  | 'delivery'
  | 'soft_bounce'
  | 'bounce'
  | 'suspension'
  | 'unsubscribe'
  | 'open'
  | 'spam_complaint'
  | 'click'
  | 'reject',
  string
>;

/** How events are written: as one JSON object, or as one JSON object a line. */
export type WebhookPayloadFormat = LiteralUnion<'json' | 'jsonlines', string>;

/** A webhook. */
export interface Webhook {
  /** Id of the webhook. */
  id: number;
  /** Address that events are posted to. */
  url: string;
  /** Whether events are posted. The service sets it to false when posts have failed for too long. */
  active: boolean;
  /** What the webhook tells of. */
  webhook_type: WebhookType;
  /** How events are written. */
  payload_format: WebhookPayloadFormat;
  /** The stream whose events are posted; null for webhooks that are not about sending. That of the audit log may lack it. */
  sending_stream?: SendingStream | null | undefined;
  /** The sending domain whose events are posted; null for all. That of the audit log may lack it. */
  domain_id?: number | null | undefined;
  /** The inbound inbox whose messages are posted; null for all. Not in every response. */
  inbound_inbox_id?: number | null | undefined;
  /** The events that are posted. A webhook of the audit log may lack them, or have null. */
  event_types?: WebhookEventType[] | null | undefined;
}

/** A new webhook: the result of `webhooks.create`. */
export interface CreatedWebhook extends Webhook {
  /** The secret that posts are signed with. No other response has it: keep it where your receiver finds it. */
  signing_secret: string;
}

/** What a webhook of any type may be created with. */
interface CreateFields {
  /** Address that events are posted to. */
  url: string;
  /**
   * Whether events are posted.
   * @defaultValue true
   */
  active?: boolean | undefined;
  /**
   * How events are written.
   * @defaultValue 'json'
   */
  payload_format?: WebhookPayloadFormat | undefined;
}

/** Parameters of `webhooks.create`. What else is needed depends on the type. */
export type WebhookCreateParams = CreateFields &
  (
    | {
        /** Events of emails that were sent. */
        webhook_type: 'email_sending';
        /** The stream whose events to post. */
        sending_stream: 'transactional' | 'bulk';
        /** The events to post. */
        event_types: readonly WebhookEventType[];
        /** The sending domain whose events to post; all when left out. */
        domain_id?: number | undefined;
      }
    | {
        /** Events of campaigns. */
        webhook_type: 'campaigns';
        /** The events to post. */
        event_types: readonly WebhookEventType[];
        /** The sending domain whose events to post; all when left out. */
        domain_id?: number | undefined;
      }
    | {
        /** What people and tokens did in the account. */
        webhook_type: 'audit_log';
      }
    | {
        /** Messages that inbound inboxes received. */
        webhook_type: 'inbound_receiving';
        /** The inbox whose messages to post. Sources differ on whether all are posted when it is left out. */
        inbound_inbox_id?: number | undefined;
      }
  );

/** Parameters of `webhooks.update`. Only what is given changes; type, stream and domain cannot. */
export interface WebhookUpdateParams {
  /** Address that events are posted to. */
  url?: string | undefined;
  /** Whether events are posted; `true` resumes a webhook that the service has paused. */
  active?: boolean | undefined;
  /** How events are written. */
  payload_format?: WebhookPayloadFormat | undefined;
  /** The events that are posted, in place of those before. */
  event_types?: readonly WebhookEventType[] | undefined;
  /** The inbound inbox whose messages are posted. */
  inbound_inbox_id?: number | undefined;
}

/** The only page of `webhooks.list`. */
export interface WebhookPage extends Page<Webhook> {
  /** All webhooks. */
  readonly data: Webhook[];
}
