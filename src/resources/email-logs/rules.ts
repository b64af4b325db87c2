import { didYouMean } from '../../kit/did-you-mean.ts';
import { late } from '../../kit/late.ts';
import {
  allOf,
  mustBe,
  objectOf,
  oneOf,
  stringRule,
  idRule,
  uuidRule,
  wholeRule,
  type Rule,
  type Rules,
} from '../../core/rules.ts';
import { inOrder, listOf, someOf } from '../base/param-rules.ts';
import { EMAIL_LOG_EVENT_TYPES } from './event-types.ts';
import type { EmailLogFilters, EmailLogListParams } from './filter-types.ts';
import { momentOf, momentRule } from '../../core/moment.ts';

/** The operators of a filter, by the number of their values: one, one or several, or none. */
interface Operators {
  readonly one?: readonly string[];
  readonly some?: readonly string[];
  readonly none?: readonly string[];
}

interface Filter {
  readonly operator: string;
  readonly value: unknown;
}

const TEXT: Operators = { one: ['ci_contain', 'ci_not_contain'], some: ['ci_equal', 'ci_not_equal'] };
const VALUE: Operators = { some: ['equal', 'not_equal'] };
const COUNT: Operators = { one: ['equal', 'greater_than', 'less_than'] };
const ADDRESS: Operators = { ...VALUE, one: ['contain', 'not_contain'] };

const absentRule = mustBe('left out', (value) => value === undefined);

/** One of the values that the service documents. */
function knownOf(values: readonly string[]): Rule {
  const rule = oneOf(values);
  return (value) => {
    const issue = rule(value);
    if (typeof issue !== 'string') return issue;
    const meant = typeof value === 'string' ? didYouMean(value, values) : '';
    return `${issue}: the service ignores another value, and would return every email${meant}`;
  };
}

/** The rule for a filter with these operators; `each` is the rule for each of its values. */
function filterOf({ one = [], some = [], none = [] }: Operators, each: Rule = stringRule): Rule {
  const operatorRule = oneOf([...one, ...some, ...none]);
  return (filter) => {
    const { operator, value } = Object(filter) as Filter;
    const isAbsent = none.includes(operator);
    const valueRule = some.includes(operator) && Array.isArray(value) ? someOf(each) : each;
    return objectOf<Filter>(
      { operator: operatorRule, value: isAbsent ? absentRule : valueRule },
      ['operator', ...(isAbsent ? [] : (['value'] as const))],
      '{ operator, value }',
    )(filter);
  };
}

const filterRules = late((): Rules<EmailLogFilters> => ({
  sent_after: momentRule,
  sent_before: momentRule,
  to: filterOf(TEXT),
  from: filterOf(TEXT),
  subject: filterOf({ ...TEXT, none: ['empty', 'not_empty'] }),
  status: filterOf(VALUE, knownOf(['delivered', 'not_delivered', 'enqueued', 'opted_out'])),
  events: filterOf({ some: ['include_event', 'not_include_event'] }, knownOf(EMAIL_LOG_EVENT_TYPES)),
  clicks_count: filterOf(COUNT, wholeRule),
  opens_count: filterOf(COUNT, wholeRule),
  client_ip: filterOf(ADDRESS),
  sending_ip: filterOf(ADDRESS),
  email_service_provider_response: filterOf(TEXT),
  email_service_provider: filterOf(VALUE),
  recipient_mx: filterOf(TEXT),
  category: filterOf(VALUE),
  domain_id: filterOf(VALUE, (id) => (idRule(id) === undefined ? undefined : wholeRule(id))),
  sending_stream: filterOf(VALUE, knownOf(['transactional', 'bulk'])),
}));

const filtersRule = late(() =>
  objectOf(filterRules(), [], 'an object', {
    email: 'it is `to`',
    recipient: 'it is `to`',
    stream: 'it is `sending_stream`',
    since: 'it is `sent_after`',
    until: 'it is `sent_before`',
  }),
);

/**
 * The parameters of `emailLogs.list`. Stricter than the service, which ignores an unknown or unreadable filter and
 * returns everything, so the caller would get other emails. An unknown value in a list cancels the whole filter.
 */
export const emailLogListRule = late(() =>
  listOf<EmailLogListParams>(
    {
      filters: allOf(filtersRule(), inOrder('sent_after', 'sent_before', momentOf)),
      search_after: uuidRule,
    },
    {
      email: 'it is `to` in `filters`',
      recipient: 'it is `to` in `filters`',
      stream: 'it is `sending_stream` in `filters`',
      since: 'it is `sent_after` in `filters`',
      until: 'it is `sent_before` in `filters`',
    },
  ),
);
