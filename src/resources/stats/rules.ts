import { late } from '../../kit/late.ts';
import { allOf, objectOf, oneOf, idRule, stringRule } from '../../core/rules.ts';
import { dayRule, inOrder, someOf } from '../base/param-rules.ts';
import type { StatsParams } from './types.ts';

/** The parameters of the methods of `stats`. */
export const statsRule = late(() =>
  allOf(
    objectOf<StatsParams>(
      {
        start_date: dayRule,
        end_date: dayRule,
        domain_ids: someOf(idRule),
        sending_streams: someOf(oneOf(['transactional', 'bulk'])),
        categories: someOf(stringRule),
        email_service_providers: someOf(stringRule),
      },
      ['start_date', 'end_date'],
      'an object',
      { stream: 'it is `sending_streams`', category: 'it is `categories`' },
    ),
    inOrder('start_date', 'end_date', Date.parse),
  ),
);
