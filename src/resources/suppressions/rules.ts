import { late } from '../../kit/late.ts';
import { objectOf, oneOf, idRule, stringRule, uuidRule } from '../../core/rules.ts';

import { momentRule } from '../../core/moment.ts';
import type { SuppressionCreateParams, SuppressionListParams, TrackingOptOutCreateParams } from './types.ts';

const address = late(() => ({ email: stringRule, domain_id: idRule }));

/** The parameters of `suppressions.list` and `trackingOptOuts.list`. */
export const suppressionListRule = late(() =>
  objectOf<SuppressionListParams>({
    email: stringRule,
    start_time: momentRule,
    end_time: momentRule,
    last_id: uuidRule,
  }),
);
/** The parameters of `suppressions.create`. */
export const suppressionCreateRule = late(() =>
  objectOf<SuppressionCreateParams>(
    { ...address(), sending_stream: oneOf(['transactional', 'bulk']), type: stringRule },
    ['email', 'domain_id', 'sending_stream'],
  ),
);
/** The parameters of `trackingOptOuts.create`. */
export const optOutCreateRule = late(() =>
  objectOf<TrackingOptOutCreateParams>(address(), ['email', 'domain_id']),
);
