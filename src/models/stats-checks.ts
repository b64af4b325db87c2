import { allOf, arrayOf, oneOf, positiveRule, stringRule, type Rule } from '../core/rules.ts';
import { dayRule, daysInOrder, paramsOf } from './check.ts';
import type { StatsParams } from './stats.ts';

/** An empty list is not sent, and the service would return everything. */
const some = (rule: Rule): Rule => {
  const list = arrayOf(rule);
  return (value) => (Array.isArray(value) && value.length === 0 ? 'must not be an empty list' : list(value));
};

/** The parameters of the methods of `stats`. */
export const statsRule = allOf(
  paramsOf<StatsParams>(
    {
      start_date: dayRule,
      end_date: dayRule,
      domain_ids: some(positiveRule),
      sending_streams: some(oneOf(['transactional', 'bulk'])),
      categories: some(stringRule),
      email_service_providers: some(stringRule),
    },
    ['start_date', 'end_date'],
  ),
  daysInOrder,
);
