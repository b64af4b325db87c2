import type { EmailLogEventType } from './event-types.ts';
import type { EmailLogStatus, SendingStream } from './types.ts';

/** One value, or several, one of which has to match. */
type OneOrMore<T> = T | readonly T[];

/** Filters by text, ignoring case. */
export interface TextFilter {
  /** Whether the text has to contain or to equal `value`, or must not. */
  operator: 'ci_contain' | 'ci_not_contain' | 'ci_equal' | 'ci_not_equal';
  /** The text; to equal one of several, a list. */
  value: OneOrMore<string>;
}

/** Filters by subject line, or by its presence. */
export interface SubjectFilter {
  /** Whether the subject has to contain or to equal `value` or to be empty, or must not. */
  operator: TextFilter['operator'] | 'empty' | 'not_empty';
  /** The text; to equal one of several, a list. Left out with `empty` and `not_empty`. */
  value?: OneOrMore<string> | undefined;
}

/** Filters by a value, or by several, one of which has to match. */
export interface ValueFilter<T> {
  /** Whether the field has to equal `value`, or must not. */
  operator: 'equal' | 'not_equal';
  /** The value to compare with; of several, any may match. */
  value: OneOrMore<T>;
}

/** Filters by the events of an email. */
export interface EventFilter {
  /** Whether the event has to have happened, or must not have. */
  operator: 'include_event' | 'not_include_event';
  /** The event's type; of several, any may match. */
  value: OneOrMore<EmailLogEventType>;
}

/** Filters by a count. */
export interface CountFilter {
  /** How the count has to compare with `value`. */
  operator: 'equal' | 'greater_than' | 'less_than';
  /** The whole number to compare with. */
  value: number;
}

/** Filters by an IP address, or by a part of one. */
export interface AddressFilter {
  /** Whether the address has to contain or to equal `value`, or must not. */
  operator: 'contain' | 'not_contain' | 'equal' | 'not_equal';
  /** The address or the part; to equal one of several, a list. */
  value: OneOrMore<string>;
}

/** Filters for the email log; an email has to match all of them. */
export interface EmailLogFilters {
  /** Emails sent at this time or later. A string is an ISO 8601 date-time. */
  sent_after?: Date | string | undefined;
  /** Emails sent at this time or earlier. A string is an ISO 8601 date-time. */
  sent_before?: Date | string | undefined;
  /** Recipient address. */
  to?: TextFilter | undefined;
  /** Sender address. */
  from?: TextFilter | undefined;
  /** Subject line. */
  subject?: SubjectFilter | undefined;
  /** Status of the email. The client refuses a value that this version of the package does not know. */
  status?: ValueFilter<EmailLogStatus> | undefined;
  /** Events of the email. The client refuses a type that this version of the package does not know. */
  events?: EventFilter | undefined;
  /** Number of clicks in the email. */
  clicks_count?: CountFilter | undefined;
  /** Number of times the email was opened. */
  opens_count?: CountFilter | undefined;
  /** IP address of the client that submitted the email. */
  client_ip?: AddressFilter | undefined;
  /** IP address the email was sent from. */
  sending_ip?: AddressFilter | undefined;
  /** Response text of the recipient's mail server. */
  email_service_provider_response?: TextFilter | undefined;
  /** The recipient's email provider, such as `Google`. */
  email_service_provider?: ValueFilter<string> | undefined;
  /** Host name of the recipient's mail server (MX). */
  recipient_mx?: TextFilter | undefined;
  /** Category that the email was sent with. */
  category?: ValueFilter<string> | undefined;
  /** Id of the email's sending domain. */
  domain_id?: ValueFilter<number> | undefined;
  /** Stream that the email was sent on: `transactional` or `bulk`. */
  sending_stream?: ValueFilter<SendingStream> | undefined;
}

/** Parameters of `emailLogs.list`. */
export interface EmailLogListParams {
  /** Filters that a message has to match; all messages by default. */
  filters?: EmailLogFilters | undefined;
  /** The `next_page_cursor` of a page, to resume the list after that page. */
  search_after?: string | undefined;
}
