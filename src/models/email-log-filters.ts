import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import type { QueryValue } from '../core/query.ts';
import { anything, issuesAt, objectOf, oneOf, stringRule, wholeRule, type Rule } from '../core/rules.ts';
import { issuesOf, once, ruled, uuid } from './check.ts';
import { EMAIL_LOG_EVENT_TYPES, type KnownEmailLogEvent } from './email-log-events.ts';
import { momentOf, momentRule } from './moment.ts';

/** One value, or several of which any will do. */
type OneOrMore<T> = T | readonly T[];

/** Text, compared without regard to case. */
export type TextFilter =
  | {
      /** How to compare. */
      operator: 'ci_contain' | 'ci_not_contain';
      /** With which part. */
      value: string;
    }
  | {
      /** How to compare. */
      operator: 'ci_equal' | 'ci_not_equal';
      /** With what; any of several will do. */
      value: OneOrMore<string>;
    };

/** A subject line, or that there is none. */
export type SubjectFilter =
  | TextFilter
  | {
      /** Whether there is one. */
      operator: 'empty' | 'not_empty';
      /** None. */
      value?: undefined;
    };

/** A value, or several. */
export interface ValueFilter<T> {
  /** How to compare. */
  operator: 'equal' | 'not_equal';
  /** With what; any of several will do. */
  value: OneOrMore<T>;
}

/** Something that happened to the mail, or did not. */
export interface EventFilter {
  /** Whether it happened. */
  operator: 'include_event' | 'not_include_event';
  /** What; any of several will do. */
  value: OneOrMore<KnownEmailLogEvent['event_type']>;
}

/** A count. */
export interface CountFilter {
  /** How to compare. */
  operator: 'equal' | 'greater_than' | 'less_than';
  /** With what. */
  value: number;
}

/** An IP address, or a part of one. */
export type AddressFilter =
  | ValueFilter<string>
  | {
      /** How to compare. */
      operator: 'contain' | 'not_contain';
      /** With which part. */
      value: string;
    };

/** What the log is filtered by: all of it has to hold. Beyond the specification's filters, those of the public reference. */
export interface EmailLogFilters {
  /** Sent at this moment or later. A string is ISO 8601. */
  sent_after?: Date | string | undefined;
  /** Sent at this moment or earlier. A string is ISO 8601. */
  sent_before?: Date | string | undefined;
  /** Recipient address. */
  to?: TextFilter | undefined;
  /** Sender address. */
  from?: TextFilter | undefined;
  /** Subject line. */
  subject?: SubjectFilter | undefined;
  /** What became of the mail. */
  status?: ValueFilter<'delivered' | 'not_delivered' | 'enqueued' | 'opted_out'> | undefined;
  /** What happened to it. */
  events?: EventFilter | undefined;
  /** How often something in it was clicked. */
  clicks_count?: CountFilter | undefined;
  /** How often it was opened. */
  opens_count?: CountFilter | undefined;
  /** Address of the client that sent it. */
  client_ip?: AddressFilter | undefined;
  /** Address the service sent it from. */
  sending_ip?: AddressFilter | undefined;
  /** What the recipient's mail server answered. */
  email_service_provider_response?: TextFilter | undefined;
  /** Who runs that server. */
  email_service_provider?: ValueFilter<string> | undefined;
  /** That server. */
  recipient_mx?: TextFilter | undefined;
  /** Category given when it was sent. */
  category?: ValueFilter<string> | undefined;
  /** Its sending domain. */
  domain_id?: ValueFilter<number> | undefined;
  /** The stream it was sent on. */
  sending_stream?: ValueFilter<'transactional' | 'bulk'> | undefined;
}

/** Which messages `emailLogs.list` gives, and from where. */
export interface EmailLogListParams {
  /** What has to hold of a message. */
  filters?: EmailLogFilters | undefined;
  /** A page's `next_page_cursor`: resumes the list after that page. */
  search_after?: string | undefined;
}

/** What an operator compares with: one value, one or several, or nothing. */
type Arity = 'one' | 'some' | 'none';
type Operators = Readonly<Record<string, Arity>>;

const TEXT: Operators = { ci_contain: 'one', ci_not_contain: 'one', ci_equal: 'some', ci_not_equal: 'some' };
const VALUE: Operators = { equal: 'some', not_equal: 'some' };
const COUNT: Operators = { equal: 'one', greater_than: 'one', less_than: 'one' };
const ADDRESS: Operators = { ...VALUE, contain: 'one', not_contain: 'one' };

/** A filter of these operators, its values each under a rule. */
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
 * know, or cannot read, and answers with everything: the caller would report on mails it never asked for.
 */
export const emailLogListIssues = (params: unknown): Issue[] => issuesOf(listParams(), params);

/** As the service reads it; what is no moment is refused elsewhere. */
const isoText = (value: Date | string | undefined) =>
  value instanceof Date && momentRule(value) === undefined
    ? value.toISOString()
    : (value as string | undefined);

/**
 * The filters as the service reads them. The two path families know the domain filter by different names, and ignore
 * the other: under an account both are sent.
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
