import type { LiteralUnion } from 'type-fest';
import type { Page } from '../../core/pager.ts';
import type { EmailLogEvent } from './event-types.ts';

/**
 * Status of an email: one of the known ones, or one the service has added since. A soft bounce or a suspension leaves an
 * email `enqueued`, because more attempts follow; after an unsubscription or a spam complaint, it is `opted_out`.
 */
export type EmailLogStatus = LiteralUnion<'delivered' | 'not_delivered' | 'enqueued' | 'opted_out', string>;

/** Stream that an email was sent on: one of the known ones, or one the service has added since. */
export type SendingStream = LiteralUnion<'transactional' | 'bulk', string>;

/** A sent email, as `emailLogs.list` returns it. */
export interface EmailLogMessage {
  /** UUID of the message. */
  message_id: string;
  /** Status of the message. */
  status: EmailLogStatus;
  /** Subject line. */
  subject: string | null;
  /** Sender address. */
  from: string;
  /** Recipient address. */
  to: string;
  /** When the message was sent, as an ISO 8601 date-time. */
  sent_at: string;
  /** IP address of the client that submitted the email. */
  client_ip: string | null;
  /** Category that the email was sent with. */
  category: string | null;
  /** Custom variables that the email was sent with; null when there were none. */
  custom_variables: Record<string, unknown> | null;
  /** Stream that the email was sent on. */
  sending_stream: SendingStream;
  /** Id of the email's sending domain, under either name in the response. */
  domain_id: number;
  /** The same id, if the response has this name: it may if the path names an account. */
  sending_domain_id?: number | undefined;
  /** Id of the template that the email was sent with; null when there was none. */
  template_id: number | null;
  /** Variables for the template; null when there were none. */
  template_variables: Record<string, unknown> | null;
  /** Number of times the email was opened. */
  opens_count: number;
  /** Number of clicks in the email. */
  clicks_count: number;
  /** The email's `Message-ID` header. */
  rfc_message_id?: string | null | undefined;
  /** The email's `In-Reply-To` header. */
  in_reply_to?: string | null | undefined;
  /** The email's `References` header. */
  references?: string[] | undefined;
  /** Id of the email's inbound thread. */
  thread_id?: string | null | undefined;
}

/** A sent email with its events, as `emailLogs.get` returns it. */
export interface EmailLogMessageDetails extends EmailLogMessage {
  /** Temporary signed URL of the raw message, for `emailLogs.downloadRaw`. */
  raw_message_url: string;
  /** The events of the email. */
  events: EmailLogEvent[];
}

/** One page of `emailLogs.list`. */
export interface EmailLogPage extends Page<EmailLogMessage> {
  /** The page's messages, newest first. */
  readonly messages: EmailLogMessage[];
  /** Number of messages that match, on all pages. */
  readonly total_count: number;
  /** Cursor that resumes the list after this page, as `search_after`; null on the last page. */
  readonly next_page_cursor: string | null;
}
