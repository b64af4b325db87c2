import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import type { QueryValue } from '../core/query.ts';
import { anything, issuesAt, objectOf, oneOf, stringRule, wholeRule, type Rule } from '../core/rules.ts';
import { issuesOf, once, ruled, uuid } from './check.ts';
import { EMAIL_LOG_EVENT_TYPES, type KnownEmailLogEvent } from './email-log-events.ts';
import { momentOf, momentRule } from './moment.ts';

/** One value, or several of which any may match. */
type OneOrMore<T> = T | readonly T[];

/** Filters by text, ignoring case. */
export type TextFilter =
  | {
      /** Whether the text has to contain `value`, or must not. */
      operator: 'ci_contain' | 'ci_not_contain';
      /** The part to look for. */
      value: string;
    }
  | {
      /** Whether the text has to equal `value`, or must not. */
      operator: 'ci_equal' | 'ci_not_equal';
      /** The text to compare with; of several, any may match. */
      value: OneOrMore<string>;
    };

/** Filters by subject line, or by whether there is one. */
export type SubjectFilter =
  | TextFilter
  | {
      /** Whether the subject has to be empty, or must not be. */
      operator: 'empty' | 'not_empty';
      /** Absent: these operators take no value. */
      value?: undefined;
    };

/** Filters by a value, or by several of which any may match. */
export interface ValueFilter<T> {
  /** Whether the field has to equal `value`, or must not. */
  operator: 'equal' | 'not_equal';
  /** The value to compare with; of several, any may match. */
  value: OneOrMore<T>;
}

/** Filters by what happened to an email, or did not. */
export interface EventFilter {
  /** Whether the event has to have happened, or must not have. */
  operator: 'include_event' | 'not_include_event';
  /** The event's type; of several, any may match. */
  value: OneOrMore<KnownEmailLogEvent['event_type']>;
}

/** Filters by a count. */
export interface CountFilter {
  /** How the count has to compare with `value`. */
  operator: 'equal' | 'greater_than' | 'less_than';
  /** The whole number to compare with. */
  value: number;
}

/** Filters by an IP address, or by a part of one. */
export type AddressFilter =
  | ValueFilter<string>
  | {
      /** Whether the address has to contain `value`, or must not. */
      operator: 'contain' | 'not_contain';
      /** The part to look for. */
      value: string;
    };

/**
 * Filters for the email log; an email has to match all of them. The specification has only the dates, `to`, `domain_id`
 * and the operators `equal` and `ci_equal`; the others are taken from the service's public API reference.
 */
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
  /** Status of the email. */
  status?: ValueFilter<'delivered' | 'not_delivered' | 'enqueued' | 'opted_out'> | undefined;
  /** Events of the email. */
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
  /** Stream that the email was sent on. */
  sending_stream?: ValueFilter<'transactional' | 'bulk'> | undefined;
}

/** Parameters of `emailLogs.list`. */
export interface EmailLogListParams {
  /** Filters that a message has to match; all messages by default. */
  filters?: EmailLogFilters | undefined;
  /** The `next_page_cursor` of a page, to resume the list after that page. */
  search_after?: string | undefined;
}

/** What an operator takes as its value: exactly one (`one`), one or several (`some`), or nothing (`none`). */
type Arity = 'one' | 'some' | 'none';
type Operators = Readonly<Record<string, Arity>>;

const TEXT: Operators = { ci_contain: 'one', ci_not_contain: 'one', ci_equal: 'some', ci_not_equal: 'some' };
const VALUE: Operators = { equal: 'some', not_equal: 'some' };
const COUNT: Operators = { equal: 'one', greater_than: 'one', less_than: 'one' };
const ADDRESS: Operators = { ...VALUE, contain: 'one', not_contain: 'one' };

/** The rule for a filter with these operators; `each` is the rule for each of its values. */
function filterOf(operators: Operators, each: Rule = stringRule): Rule {
  const shape = objectOf({ operator: oneOf(Object.keys(operators)), value: anything }, ['operator'], {
    what: '{ operator, value }',
  });
  return (filter) => {
    const found = issuesAt('', shape(filter));
    if (found.length > 0) return found;
    const { operator, value } = filter as { operator: string; value: unknown };
    return issuesAt('.value', valueRule(operator, operators[operator], value, each));
  };
}

function valueRule(operator: string, arity: Arity | undefined, value: unknown, each: Rule): ReturnType<Rule> {
  if (arity === 'none') return value === undefined ? undefined : `must be left out with '${operator}'`;
  if (!Array.isArray(value)) return each(value);
  if (arity === 'one') return `must be one value with '${operator}'`;
  if (value.length === 0) return 'must not be an empty list';
  return value.map(each).find((found) => found !== undefined);
}

const filtersObject = objectOf<EmailLogFilters>(
  {
    sent_after: momentRule,
    sent_before: momentRule,
    to: filterOf(TEXT),
    from: filterOf(TEXT),
    subject: filterOf({ ...TEXT, empty: 'none', not_empty: 'none' }),
    status: filterOf(VALUE, oneOf(['delivered', 'not_delivered', 'enqueued', 'opted_out'])),
    events: filterOf({ include_event: 'some', not_include_event: 'some' }, oneOf(EMAIL_LOG_EVENT_TYPES)),
    clicks_count: filterOf(COUNT, wholeRule),
    opens_count: filterOf(COUNT, wholeRule),
    client_ip: filterOf(ADDRESS),
    sending_ip: filterOf(ADDRESS),
    email_service_provider_response: filterOf(TEXT),
    email_service_provider: filterOf(VALUE),
    recipient_mx: filterOf(TEXT),
    category: filterOf(VALUE),
    domain_id: filterOf(VALUE, wholeRule),
    sending_stream: filterOf(VALUE, oneOf(['transactional', 'bulk'])),
  },
  [],
  {
    what: 'an object of filters',
    unknown: 'is not a known filter; the service would ignore it and return everything',
  },
);

function filtersRule(filters: unknown): ReturnType<Rule> {
  const found = filtersObject(filters);
  const { sent_after, sent_before } = Object(filters) as EmailLogFilters;
  return momentOf(sent_after) > momentOf(sent_before)
    ? [...issuesAt('', found), { path: '.sent_before', message: 'must not be before sent_after' }]
    : found;
}

const listParams = once(() =>
  z.strictObject({ filters: z.optional(ruled(filtersRule)), search_after: z.optional(uuid()) }),
);

/**
 * What is wrong with the parameters of `emailLogs.list`. Stricter than the service, which ignores a filter it does not
 * know or cannot read, and returns everything: the caller would get emails it never asked for.
 */
export const emailLogListIssues = (params: unknown): Issue[] => issuesOf(listParams(), params);

/** A date as the service reads it. An invalid one is passed on: the check refuses it. */
const isoText = (value: Date | string | undefined) =>
  value instanceof Date && momentRule(value) === undefined
    ? value.toISOString()
    : (value as string | undefined);

/**
 * The filters as the service reads them. The two path forms have different names for the domain filter, and each
 * ignores the other's: under an account, both are sent.
 */
export function filterQuery(filters: EmailLogFilters, isUnderAccount: boolean): QueryValue {
  const { sent_after, sent_before, domain_id, ...others } = filters;
  return {
    sent_after: isoText(sent_after),
    sent_before: isoText(sent_before),
    domain_id,
    ...(isUnderAccount && { sending_domain_id: domain_id }),
    ...others,
  } as QueryValue;
}
