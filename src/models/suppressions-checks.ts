import type { Issue } from '../core/errors.ts';
import { oneOf, positiveRule, stringRule, uuidRule } from '../core/rules.ts';
import { paramIssues, paramsOf } from './check.ts';
import { momentRule } from './moment.ts';
import type {
  SuppressionCreateParams,
  SuppressionListParams,
  TrackingOptOutCreateParams,
} from './suppressions.ts';

const address = { email: stringRule, domain_id: positiveRule };

const listRule = paramsOf<SuppressionListParams>({
  email: stringRule,
  start_time: momentRule,
  end_time: momentRule,
  last_id: uuidRule,
});
const createRule = paramsOf<SuppressionCreateParams>(
  { ...address, sending_stream: oneOf(['transactional', 'bulk', 'any']), type: stringRule },
  ['email', 'domain_id', 'sending_stream'],
);
const optOutRule = paramsOf<TrackingOptOutCreateParams>(address, ['email', 'domain_id']);

/** What is wrong with the parameters of `suppressions.list` and `trackingOptOuts.list`. */
export const suppressionListIssues = (params: unknown): Issue[] => paramIssues(listRule, params);
/** What is wrong with the parameters of `suppressions.create`. */
export const suppressionCreateIssues = (params: unknown): Issue[] => paramIssues(createRule, params);
/** What is wrong with the parameters of `trackingOptOuts.create`. */
export const optOutCreateIssues = (params: unknown): Issue[] => paramIssues(optOutRule, params);
