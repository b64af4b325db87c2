import type { LiteralUnion } from 'type-fest';
import type { Page } from '../../core/pager.ts';
import type { SendingStream } from '../email-logs/types.ts';

/** The subject of a webhook: one of the known areas, or one the service has added since. */
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

/** The format of posts: one JSON object, or one JSON object per line. */
export type WebhookPayloadFormat = LiteralUnion<'json' | 'jsonlines', string>;

/** A webhook. */
export interface Webhook {
  /** Id of the webhook. */
  id: number;
  /** Address for the posts. */
  url: string;
  /** Whether events are posted. The service sets it to false when posts have failed for too long. */
  active: boolean;
  /** The subject of the webhook. */
  webhook_type: WebhookType;
  /** The format of posts. */
  payload_format: WebhookPayloadFormat;
  /**
   * The stream of the posted events; null for webhooks that are not about sending. A webhook of the audit log may lack
   * it.
   */
  sending_stream?: SendingStream | null | undefined;
  /** The sending domain of the posted events; null for all. A webhook of the audit log may lack it. */
  domain_id?: number | null | undefined;
  /** The inbound inbox whose messages are posted; null for all. Not in every response. */
  inbound_inbox_id?: number | null | undefined;
  /** The events that are posted. A webhook of the audit log may lack them, or have null. */
  event_types?: WebhookEventType[] | null | undefined;
}

/** A new webhook: the result of `webhooks.create`. */
export interface CreatedWebhook extends Webhook {
  /** The secret that signs the posts. No other response has it: store it for your receiver. */
  signing_secret: string;
}

/** The parameters for a webhook of any type. */
interface CreateFields {
  /** Address for the posts. */
  url: string;
  /**
   * Whether events are posted.
   * @defaultValue true
   */
  active?: boolean | undefined;
  /**
   * The format of posts.
   * @defaultValue 'json'
   */
  payload_format?: WebhookPayloadFormat | undefined;
}

/** Parameters of `webhooks.create`. Other required fields depend on the type. */
export type WebhookCreateParams = CreateFields &
  (
    | {
        /** Events of sent emails. */
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
        /** Actions of users and tokens in the account. */
        webhook_type: 'audit_log';
      }
    | {
        /** Messages that inbound inboxes received. */
        webhook_type: 'inbound_receiving';
        /** The inbox whose messages to post. Sources differ on whether the service posts all if it is absent. */
        inbound_inbox_id?: number | undefined;
      }
  );

/** Parameters of `webhooks.update`. Only the given fields change; type, stream and domain cannot change. */
export interface WebhookUpdateParams {
  /** Address for the posts. */
  url?: string | undefined;
  /** Whether events are posted; `true` resumes a webhook that the service has paused. */
  active?: boolean | undefined;
  /** The format of posts. */
  payload_format?: WebhookPayloadFormat | undefined;
  /** The posted events; replaces the previous list. */
  event_types?: readonly WebhookEventType[] | undefined;
  /** The inbound inbox whose messages are posted. */
  inbound_inbox_id?: number | undefined;
}

/** The only page of `webhooks.list`. */
export interface WebhookPage extends Page<Webhook> {
  /** All webhooks. */
  readonly data: Webhook[];
}
