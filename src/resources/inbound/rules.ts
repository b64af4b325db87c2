import { late } from '../../kit/late.ts';
import { allOf, arrayOf, objectOf, idRule, stringRule, type Rules } from '../../core/rules.ts';
import { listOf, textUpTo, updateOf } from '../base/param-rules.ts';
import type {
  InboundForwardParams,
  InboundListParams,
  InboundReplyParams,
  InboundThreadListParams,
} from './mail-types.ts';
import type {
  ForwardRuleCondition,
  ForwardRuleDestination,
  ForwardRuleUpdateParams,
  InboundFolderParams,
  InboundInboxCreateParams,
} from './types.ts';
import { forwardRecipientsRule, replyAddressesRule, replyFields } from '../sending/mail/rules.ts';

const ruleFields = late((): Rules<ForwardRuleUpdateParams> => ({
  name: stringRule,
  conditions: arrayOf(
    objectOf<ForwardRuleCondition>(
      { match_type: stringRule, operator: stringRule, value: stringRule, header_key: stringRule },
      ['match_type', 'operator'],
    ),
  ),
  destinations: arrayOf(objectOf<ForwardRuleDestination>({ email: stringRule }, ['email'])),
}));

export const inboundFolderRule = late(() => objectOf<InboundFolderParams>({ name: textUpTo(100) }, ['name']));
export const inboundInboxCreateRule = late(() =>
  objectOf<InboundInboxCreateParams>({ name: stringRule, domain_id: idRule }, ['name']),
);
export const inboundListRule = late(() => listOf<InboundListParams>({ last_id: stringRule }));
export const threadListRule = late(() =>
  listOf<InboundThreadListParams>({
    last_id: stringRule,
    search: textUpTo(256),
  }),
);
export const replyRule = late(() => allOf(objectOf<InboundReplyParams>(replyFields()), replyAddressesRule));
export const forwardRule = late(() =>
  allOf(
    objectOf<InboundForwardParams>({ ...replyFields(), to: forwardRecipientsRule() }, ['to']),
    replyAddressesRule,
  ),
);
export const forwardRuleCreateRule = late(() => objectOf(ruleFields(), ['name']));
export const forwardRuleUpdateRule = late(() => updateOf(ruleFields()));
