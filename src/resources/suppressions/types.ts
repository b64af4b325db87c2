import type { LiteralUnion } from 'type-fest';
import type { Page } from '../../core/pager.ts';

/** The reason for a suppression: one of the known ones, or one the service has added since. */
export type SuppressionType = LiteralUnion<
  'hard bounce' | 'unsubscription' | 'spam complaint' | 'manual import',
  string
>;

/**
 * An address to which the service sends no email. Without a message as the cause, all fields about the message are
 * null; unknown facts of a message are null or `''`, dates too.
 */
export interface Suppression {
  /** UUID of the suppression. */
  id: string;
  /** Why the address is suppressed. */
  type: SuppressionType;
  /** When it was suppressed, as an ISO 8601 date-time. */
  created_at: string;
  /** The address. */
  email: string;
  /** Stream of the suppression; `any` for both. */
  sending_stream: LiteralUnion<'transactional' | 'bulk' | 'any', string>;
  /** Name of the sending domain of the suppression; null if the stream is `any`. */
  domain_name: string | null;
  /** Category of the bounce. */
  message_bounce_category: string | null;
  /** Category of the message. */
  message_category: string | null;
  /** IP address of the client that submitted the message. */
  message_client_ip: string | null;
  /** When the message was sent, as an ISO 8601 date-time. */
  message_created_at: string | null;
  /** Response of the recipient's email provider; not in every response. */
  message_esp_response?: string | null | undefined;
  /** Type of the recipient's email provider; not in every response. */
  message_esp_server_type?: string | null | undefined;
  /** IP address that the message was sent from. */
  message_outgoing_ip: string | null;
  /** Host name of the recipient's mail server (MX). */
  message_recipient_mx_name: string | null;
  /** Sender of the message. */
  message_sender_email: string | null;
  /** Subject of the message. */
  message_subject: string | null;
}

/** Parameters of `suppressions.list` and `trackingOptOuts.list`. */
export interface SuppressionListParams {
  /** Only this address. */
  email?: string | undefined;
  /** Only from this time on. A string is an ISO 8601 date-time. */
  start_time?: Date | string | undefined;
  /** Only up to this time. A string is an ISO 8601 date-time. */
  end_time?: Date | string | undefined;
  /** Id of the last item read, to resume the list after it. */
  last_id?: string | undefined;
}

/** Parameters of `suppressions.create`. */
export interface SuppressionCreateParams {
  /** The address. */
  email: string;
  /** Id of the sending domain to suppress it for. */
  domain_id: number;
  /** Stream to suppress it on. For both streams, create two suppressions: `any` is in responses only. */
  sending_stream: 'transactional' | 'bulk';
  /**
   * Why it is suppressed.
   * @defaultValue 'manual import'
   */
  type?: SuppressionType | undefined;
}

/** An address whose opens and clicks are not tracked. */
export interface TrackingOptOut {
  /** UUID of the opt-out. */
  id: string;
  /** The address. */
  email: string;
  /** When it was added, as an ISO 8601 date-time. */
  created_at: string;
  /** Name of the sending domain that it holds for; not in every response. */
  domain_name?: string | null | undefined;
}

/** Parameters of `trackingOptOuts.create`. */
export interface TrackingOptOutCreateParams {
  /** The address. */
  email: string;
  /** Id of the sending domain that it holds for. */
  domain_id: number;
}

/** One page of `trackingOptOuts.list`. */
export interface TrackingOptOutPage extends Page<TrackingOptOut> {
  /** The page's opt-outs. */
  readonly data: TrackingOptOut[];
  /** Cursor that resumes the list after this page; null on the last page. */
  readonly last_id: string | null;
}
