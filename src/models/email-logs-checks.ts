import {
  allOf,
  anything,
  issuesAt,
  objectOf,
  oneOf,
  stringRule,
  wholeRule,
  type Rule,
} from '../core/rules.ts';
import { uuidRule } from '../core/rules.ts';
import { notEmptyList, paramsOf } from './check.ts';
import type { EmailLogFilters, EmailLogListParams } from './email-log-filters.ts';
import { momentOf, momentRule } from './moment.ts';

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
  const empty = notEmptyList(value);
  if (empty !== undefined) return empty;
  for (const item of value as readonly unknown[]) {
    const found = each(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const filtersObject = objectOf<EmailLogFilters>(
  {
    sent_after: momentRule,
    sent_before: momentRule,
    to: filterOf(TEXT),
    from: filterOf(TEXT),
    subject: filterOf({ ...TEXT, empty: 'none', not_empty: 'none' }),
    status: filterOf(VALUE),
    events: filterOf({ include_event: 'some', not_include_event: 'some' }),
    clicks_count: filterOf(COUNT, wholeRule),
    opens_count: filterOf(COUNT, wholeRule),
    client_ip: filterOf(ADDRESS),
    sending_ip: filterOf(ADDRESS),
    email_service_provider_response: filterOf(TEXT),
    email_service_provider: filterOf(VALUE),
    recipient_mx: filterOf(TEXT),
    category: filterOf(VALUE),
    domain_id: filterOf(VALUE, wholeRule),
    sending_stream: filterOf(VALUE),
  },
  [],
  {
    what: 'an object of filters',
    unknown: 'is not a known filter; the service would ignore it and return everything',
  },
);

const datesInOrder: Rule = (filters) => {
  const { sent_after, sent_before } = Object(filters) as EmailLogFilters;
  return momentOf(sent_after) > momentOf(sent_before)
    ? [{ path: '.sent_before', message: 'must not be before sent_after' }]
    : undefined;
};

/**
 * The parameters of `emailLogs.list`. Stricter than the service, which ignores a filter it does not
 * know or cannot read, and returns everything: the caller would get emails it did not request. Statuses, events and
 * streams may be ones the service has added since.
 */
export const emailLogListRule = paramsOf<EmailLogListParams>({
  filters: allOf(filtersObject, datesInOrder),
  search_after: uuidRule,
});
