import type { LiteralUnion } from 'type-fest';
import type { Page } from '../../core/pager.ts';
import type { EmailLogStatus } from '../email-logs/types.ts';
import type { EmailAddressInput, EmailAddressList, MailFields, RecipientFields } from '../sending/types.ts';

/** A file attached to a received message. */
export interface InboundAttachment {
  /** Id of the attachment. */
  attachment_id: string;
  /** Size in bytes. */
  size: number | null;
  /** File name from the sender: do not trust it. */
  filename: string | null;
  /** Media type from the sender. */
  content_type: string | null;
  /** Whether it is listed as an attachment or shown inline. */
  content_disposition: LiteralUnion<'attachment' | 'inline', string> | null;
  /** Id by which the HTML body refers to it; not in every response. */
  content_id?: string | null | undefined;
  /** Signed URL to download it; only in single messages and threads. */
  download_url?: string | null | undefined;
  /** When the URL expires, as an ISO 8601 date-time. */
  download_url_expires_at?: string | null | undefined;
}

/** The result of a forward rule for a message. */
export interface InboundForward {
  /** Id of the rule. */
  rule_id: number;
  /** Name of the rule. */
  rule_name: string | null;
  /** Address of the forward. */
  destination: string;
  /** Whether it was forwarded. */
  status: LiteralUnion<'forwarded' | 'rejected', string>;
  /** The reason for a rejection. */
  reason: string | null;
  /** Id of the forwarded email, in the email log. */
  message_id: string | null;
}

/** A message that an inbox received. */
export interface InboundMessage {
  /** Id of the message: text, because the number is too large for JavaScript. */
  id: string;
  /** Id of the inbox. */
  inbox_id: number;
  /** Sender. */
  from: string | null;
  /** Recipients in `To`. */
  to: string[];
  /** Recipients in `Cc`; not in every response. */
  cc?: string[] | null | undefined;
  /** Recipients in `Bcc`; not in every response. */
  bcc?: string[] | null | undefined;
  /** Address for replies; not in every response. */
  reply_to?: string | null | undefined;
  /** Subject line. */
  subject: string | null;
  /** The `Message-ID` header. */
  rfc_message_id?: string | null | undefined;
  /** The `In-Reply-To` header; not in every response. */
  in_reply_to?: string | null | undefined;
  /** The `References` header; not in every response. */
  references?: string[] | null | undefined;
  /** All headers; not in every response. */
  headers?: Record<string, unknown> | null | undefined;
  /** Size in bytes. */
  size: number | null;
  /** Size of the HTML body in bytes. */
  html_size: number | null;
  /** Size of the plain-text body in bytes. */
  text_size: number | null;
  /** When it was received, as an ISO 8601 date-time. */
  received_at: string;
  /** Id of the thread it belongs to. */
  thread_id: string | null;
  /** Attached files. */
  attachments: InboundAttachment[];
  /** The results of forward rules. */
  forwards?: InboundForward[] | undefined;
}

/** A message with its bodies, as `inbound.messages.get` returns it. */
export interface InboundMessageDetails extends InboundMessage {
  /** HTML body from the sender: sanitize it before you show it. */
  html_body: string | null;
  /** Plain-text body. */
  text_body: string | null;
  /** Signed URL of the raw message. */
  raw_message_url: string | null;
  /** When the URL expires, as an ISO 8601 date-time. */
  raw_message_expires_at: string | null;
}

/** One page of `inbound.messages.list`. */
export interface InboundMessagePage extends Page<InboundMessage> {
  /** The page's messages. */
  readonly data: InboundMessage[];
  /** Number of messages in the inbox; the service may count differently on later pages. */
  readonly total_count: number;
  /** Cursor that resumes the list after this page; null on the last page. */
  readonly last_id: string | null;
}

/** Parameters of `inbound.messages.list`. */
export interface InboundListParams {
  /** A page's `last_id`, to resume the list after it. */
  last_id?: string | undefined;
}

/** Parameters of `inbound.threads.list`. */
export interface InboundThreadListParams extends InboundListParams {
  /** Only threads with this text, at most 256 characters. The service does not publish which fields it searches. */
  search?: string | undefined;
}

/** Parameters of `inbound.messages.reply` and `inbound.messages.replyAll`. */
export interface InboundReplyParams extends MailFields, RecipientFields {
  /** Sender: required for an inbox at your own domain, refused for an inbox of the service. */
  from?: EmailAddressInput | undefined;
  /** Plain-text body. */
  text?: string | undefined;
  /** HTML body. */
  html?: string | undefined;
  /** Your own label for filtering the email log, at most 255 characters. */
  category?: string | undefined;
}

/** Parameters of `inbound.messages.forward`. */
export interface InboundForwardParams extends InboundReplyParams {
  /** Addresses to forward the message to: at least one. */
  to: EmailAddressList;
}

/** The delivery of a sent message. */
export interface InboundDelivery {
  /** Recipient. */
  to: string;
  /** Status of the message, as in the email log. */
  status: EmailLogStatus;
  /** When it was delivered, as an ISO 8601 date-time. */
  delivered_at?: string | null | undefined;
  /** When it bounced, as an ISO 8601 date-time. */
  bounced_at?: string | null | undefined;
}

/** A message of a thread, received or sent. A `placeholder` has only the first two fields. */
export interface InboundThreadMessage {
  /** Whether the message can be read. */
  visibility_status: LiteralUnion<'available' | 'placeholder', string>;
  /** Whether it was received or sent. */
  direction: LiteralUnion<'inbound' | 'outbound', string>;
  /** Id: of an inbound message, or of the email in the email log. */
  id?: string | undefined;
  /** Id of the email, shared by the messages to each of its recipients. */
  message_group_id?: string | null | undefined;
  /** Subject line. */
  subject?: string | null | undefined;
  /** The `Message-ID` header. */
  rfc_message_id?: string | null | undefined;
  /** The `In-Reply-To` header. */
  in_reply_to?: string | null | undefined;
  /** The `References` header. */
  references?: string[] | undefined;
  /** Sender. */
  from?: string | null | undefined;
  /** Recipients in `To`. */
  to?: string[] | undefined;
  /** Recipients in `Cc`. */
  cc?: string[] | undefined;
  /** Recipients in `Bcc`. */
  bcc?: string[] | undefined;
  /** Address for replies; `''` or null if there is none. */
  reply_to?: string | null | undefined;
  /** When it was received or sent, as an ISO 8601 date-time. */
  created_at?: string | undefined;
  /** Size in bytes. */
  email_size?: number | null | undefined;
  /** Plain-text body. */
  text_body?: string | null | undefined;
  /** HTML body. */
  html_body?: string | null | undefined;
  /** Attached files. */
  attachments?: InboundAttachment[] | undefined;
  /** The delivery of a sent message. Responses have this, the next three fields, or both. */
  delivery?: InboundDelivery | null | undefined;
  /** Status of a sent message, as in the email log. */
  delivery_status?: string | null | undefined;
  /** When a sent message was delivered, as an ISO 8601 date-time. */
  delivered_at?: string | null | undefined;
  /** When a sent message bounced, as an ISO 8601 date-time. */
  bounced_at?: string | null | undefined;
  /** The results of forward rules for a received message. */
  forwards?: InboundForward[] | null | undefined;
}

/** A thread as `inbound.threads.list` returns it. */
export interface InboundThreadSummary {
  /** Id of the thread. */
  id: string;
  /** Subject line. */
  subject: string | null;
  /** Number of its messages. */
  message_count: number;
  /** Size of its messages in bytes. */
  size: number;
  /** When its first message was received or sent, as an ISO 8601 date-time. */
  first_message_at: string;
  /** When a message was last received, as an ISO 8601 date-time. */
  last_received_at: string | null;
  /** When a message was last sent, as an ISO 8601 date-time. */
  last_sent_at: string | null;
  /** When a message was last received or sent, as an ISO 8601 date-time. */
  last_activity_at: string;
  /** Id of its last message. */
  last_message_id: string | null;
  /** Senders of its messages. */
  senders: string[];
  /** Recipients of its messages. */
  recipients: string[];
  /** Files attached to its messages; not in every response. */
  attachments?: InboundAttachment[] | null | undefined;
}

/** A thread with its messages, as `inbound.threads.get` returns it. */
export interface InboundThread extends InboundThreadSummary {
  /** Its messages, oldest first. */
  messages: InboundThreadMessage[];
}

/** One page of `inbound.threads.list`. */
export interface InboundThreadPage extends Page<InboundThreadSummary> {
  /** The page's threads. */
  readonly data: InboundThreadSummary[];
  /** Number of threads in the inbox; the service may count differently on later pages. */
  readonly total_count: number;
  /** Cursor that resumes the list after this page; null on the last page. */
  readonly last_id: string | null;
}
