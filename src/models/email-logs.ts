import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import type { Page } from '../core/pager.ts';
import type { EmailLogEvent } from './email-log-events.ts';
import { answerSchema, once, whole } from './check.ts';

/** What became of a mail: one of the known states, or one the service has added since. From the public reference. */
export type EmailLogStatus = LiteralUnion<'delivered' | 'not_delivered' | 'enqueued' | 'opted_out', string>;

/** A mail that was sent, as the log lists it. */
export interface EmailLogMessage {
  /** The message's UUID. */
  message_id: string;
  /** What became of it. */
  status: EmailLogStatus;
  /** Subject line. */
  subject: string | null;
  /** Sender address. */
  from: string;
  /** Recipient address. */
  to: string;
  /** ISO 8601 date-time. */
  sent_at: string;
  /** Address of the client that sent it. */
  client_ip: string | null;
  /** Category given when it was sent. */
  category: string | null;
  /** Variables given when it was sent; null when there were none. */
  custom_variables: Record<string, unknown> | null;
  /** The stream it was sent on. */
  sending_stream: LiteralUnion<'transactional' | 'bulk', string>;
  /** Its sending domain, in answers to requests without an account. */
  domain_id?: number;
  /** Its sending domain, in answers to requests under an account, by the public reference. */
  sending_domain_id?: number;
  /** Its template; null when it was sent without. */
  template_id: number | null;
  /** The template's variables; null when there were none. */
  template_variables: Record<string, unknown> | null;
  /** How often it was opened. */
  opens_count: number;
  /** How often something in it was clicked. */
  clicks_count: number;
  /** Its `Message-ID` header; name from the public reference, as of those below. */
  rfc_message_id?: string | null;
  /** Its `In-Reply-To` header. */
  in_reply_to?: string | null;
  /** Its `References` header. */
  references?: string[];
  /** The inbound thread it belongs to. */
  thread_id?: string | null;
}

/** A mail that was sent, with all that happened to it. */
export interface EmailLogMessageDetails extends EmailLogMessage {
  /** Temporary signed address of the raw message, for `emailLogs.downloadRaw`. */
  raw_message_url: string;
  /** What happened to it. */
  events: EmailLogEvent[];
}

/** One page of the email log. */
export interface EmailLogPage extends Page<EmailLogMessage> {
  /** The page's messages, newest first. */
  readonly messages: EmailLogMessage[];
  /** Messages that match, on all pages. */
  readonly total_count: number;
  /** What resumes the list after this page, as `search_after`; null on the last. */
  readonly next_page_cursor: string | null;
}

const messageFields = () => ({
  message_id: z.string(),
  status: z.string(),
  subject: z.nullable(z.string()),
  from: z.string(),
  to: z.string(),
  sent_at: z.string(),
  client_ip: z.nullable(z.string()),
  category: z.nullable(z.string()),
  sending_stream: z.string(),
  template_id: z.nullable(whole()),
  opens_count: whole(),
  clicks_count: whole(),
});

const message = once(() => z.looseObject(messageFields()));

/** The answer of `emailLogs.list`. */
export const emailLogListAnswer = answerSchema(() =>
  z.looseObject({
    messages: z.array(message()),
    total_count: whole(),
    next_page_cursor: z.nullable(z.string()),
  }),
);

/** The answer of `emailLogs.get`. */
export const emailLogAnswer = answerSchema(() =>
  z.looseObject({
    ...messageFields(),
    raw_message_url: z.string(),
    events: z.array(z.looseObject({ event_type: z.string(), created_at: z.string() })),
  }),
);
