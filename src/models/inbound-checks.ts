import { allOf, anything, arrayOf, positiveRule, stringRule, type Rules } from '../core/rules.ts';
import { paramsOf, someOf, textUpTo, updateOf } from './check.ts';
import type { InboundForwardParams, InboundListParams, InboundReplyParams } from './inbound-mail.ts';
import type {
  ForwardRuleCondition,
  ForwardRuleDestination,
  ForwardRuleUpdateParams,
  InboundFolderParams,
  InboundInboxCreateParams,
} from './inbound.ts';
import { replyFields } from './sending-checks.ts';

const ruleFields: Rules<ForwardRuleUpdateParams> = {
  name: stringRule,
  conditions: arrayOf(
    paramsOf<ForwardRuleCondition>(
      { match_type: stringRule, operator: stringRule, value: stringRule, header_key: stringRule },
      ['match_type', 'operator'],
    ),
  ),
  destinations: arrayOf(paramsOf<ForwardRuleDestination>({ email: stringRule }, ['email'])),
};

export const inboundFolderRule = paramsOf<InboundFolderParams>({ name: textUpTo(100) }, ['name']);
export const inboundInboxCreateRule = paramsOf<InboundInboxCreateParams>(
  { name: stringRule, domain_id: positiveRule },
  ['name'],
);
export const inboundListRule = paramsOf<InboundListParams>({ last_id: stringRule });
export const replyRule = paramsOf<InboundReplyParams>(replyFields);
export const forwardRule = paramsOf<InboundForwardParams>(
  { ...replyFields, to: allOf(someOf(anything), replyFields.to) },
  ['to'],
);
export const forwardRuleCreateRule = paramsOf(ruleFields, ['name']);
export const forwardRuleUpdateRule = updateOf(ruleFields);
