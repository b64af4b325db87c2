import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import type { QueryValue } from '../core/query.ts';
import { isRecord } from '../core/record.ts';
import { issuesOf, once, uuid } from './check.ts';
import { EMAIL_LOG_EVENT_TYPES, type KnownEmailLogEvent } from './email-log-events.ts';

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

type FilterName = Exclude<keyof EmailLogFilters, 'sent_after' | 'sent_before'>;

const OPERATORS: Readonly<Record<FilterName, Operators>> = {
  to: TEXT,
  from: TEXT,
  subject: { ...TEXT, empty: 'none', not_empty: 'none' },
  status: VALUE,
  events: { include_event: 'some', not_include_event: 'some' },
  clicks_count: COUNT,
  opens_count: COUNT,
  client_ip: ADDRESS,
  sending_ip: ADDRESS,
  email_service_provider_response: TEXT,
  email_service_provider: VALUE,
  recipient_mx: TEXT,
  category: VALUE,
  domain_id: VALUE,
  sending_stream: VALUE,
};

const INTEGERS: readonly string[] = ['clicks_count', 'opens_count', 'domain_id'] satisfies FilterName[];

const CHOICES: Readonly<Partial<Record<string, readonly string[]>>> = {
  status: ['delivered', 'not_delivered', 'enqueued', 'opted_out'],
  events: EMAIL_LOG_EVENT_TYPES,
  sending_stream: ['transactional', 'bulk'],
} satisfies Partial<Record<FilterName, readonly string[]>>;

const listed = (values: readonly string[]) => values.map((value) => `'${value}'`).join(' or ');

function valueRule(name: string, value: unknown): string | undefined {
  const choices = CHOICES[name];
  if (choices) return choices.includes(value as string) ? undefined : `must be ${listed(choices)}`;
  if (INTEGERS.includes(name)) return Number.isSafeInteger(value) ? undefined : 'must be a whole number';
  return typeof value === 'string' ? undefined : 'must be a string';
}

function filterIssues(name: string, filter: unknown): Issue[] {
  const path = `filters.${name}`;
  const operators = OPERATORS[name as FilterName] as Operators | undefined;
  if (!operators)
    return [{ path, message: 'is not a known filter; the service would ignore it and return everything' }];
  if (!isRecord(filter)) return [{ path, message: 'must be { operator, value }' }];
  const { operator, value, ...others } = filter;
  const issues = Object.keys(others).map((key) => ({
    path: `${path}.${key}`,
    message: 'is not a known field',
  }));
  const arity =
    typeof operator === 'string' && Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (!arity) issues.push({ path: `${path}.operator`, message: `must be ${listed(Object.keys(operators))}` });
  else if (arity === 'none') {
    if (value !== undefined)
      issues.push({ path: `${path}.value`, message: `must be left out with '${String(operator)}'` });
  } else {
    const isList = Array.isArray(value);
    const values: readonly unknown[] = isList ? value : [value];
    const rule = values.map((each) => valueRule(name, each)).find((each) => each !== undefined);
    if (isList && arity === 'one')
      issues.push({ path: `${path}.value`, message: `must be one value with '${String(operator)}'` });
    else if (values.length === 0)
      issues.push({ path: `${path}.value`, message: 'must not be an empty list' });
    else if (rule !== undefined) issues.push({ path: `${path}.value`, message: rule });
  }
  return issues;
}

const ISO_DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** A moment in milliseconds; undefined when it cannot be read. */
function momentOf(value: unknown): number | undefined {
  if (!(value instanceof Date) && !(typeof value === 'string' && ISO_DATE_TIME.test(value))) return undefined;
  const ms = new Date(value).getTime();
  return Number.isNaN(ms) ? undefined : ms;
}

function momentIssues({ sent_after, sent_before }: Record<string, unknown>): Issue[] {
  const [after, before] = [momentOf(sent_after), momentOf(sent_before)];
  const issues: Issue[] = [];
  const message = 'must be a valid Date, or an ISO 8601 date-time';
  if (sent_after !== undefined && after === undefined) issues.push({ path: 'filters.sent_after', message });
  if (sent_before !== undefined && before === undefined)
    issues.push({ path: 'filters.sent_before', message });
  if (after !== undefined && before !== undefined && after > before) {
    issues.push({ path: 'filters.sent_before', message: 'must not be before sent_after' });
  }
  return issues;
}

const listParams = once(() =>
  z.strictObject({
    filters: z.optional(z.looseObject({})),
    search_after: z.optional(uuid()),
  }),
);

/**
 * What is wrong with the parameters of `emailLogs.list`. Stricter than the service, which ignores a filter it does not
 * know, or cannot read, and answers with everything: the caller would report on mails it never asked for.
 */
export function emailLogListIssues(params: unknown): Issue[] {
  const issues = issuesOf(listParams(), params);
  if (issues.length > 0 || !isRecord(params) || !isRecord(params.filters)) return issues;
  const { sent_after, sent_before, ...others } = params.filters;
  return [
    ...momentIssues({ sent_after, sent_before }),
    ...Object.entries(others).flatMap(([name, filter]) =>
      filter === undefined ? [] : filterIssues(name, filter),
    ),
  ];
}

/** As the service reads it; what is no moment is refused elsewhere. */
const isoText = (value: Date | string | undefined) =>
  value instanceof Date && momentOf(value) !== undefined
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
