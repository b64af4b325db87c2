import type { Issue } from '../core/errors.ts';
import { arrayOf, positiveRule, stringRule, type Rule, type Rules } from '../core/rules.ts';
import { notEmptyList, paramIssues, paramsOf, textUpTo, updateOf } from './check.ts';
import type { InboundForwardParams, InboundListParams, InboundReplyParams } from './inbound-mail.ts';
import type {
  ForwardRuleCondition,
  ForwardRuleDestination,
  ForwardRuleUpdateParams,
  InboundFolderParams,
  InboundInboxCreateParams,
  InboundInboxUpdateParams,
} from './inbound.ts';
import { replyFields } from './sending-checks.ts';

const forwardRule: Rules<ForwardRuleUpdateParams> = {
  name: stringRule,
  conditions: arrayOf(
    paramsOf<ForwardRuleCondition>(
      { match_type: stringRule, operator: stringRule, value: stringRule, header_key: stringRule },
      ['match_type', 'operator'],
    ),
  ),
  destinations: arrayOf(paramsOf<ForwardRuleDestination>({ email: stringRule }, ['email'])),
};

/** The checks of arguments, by method. */
const RULES = {
  folder: paramsOf<InboundFolderParams>({ name: textUpTo(100) }, ['name']),
  inboxCreate: paramsOf<InboundInboxCreateParams>({ name: stringRule, domain_id: positiveRule }, ['name']),
  inboxUpdate: paramsOf<InboundInboxUpdateParams>({ name: stringRule }, ['name']),
  list: paramsOf<InboundListParams>({ last_id: stringRule }),
  reply: paramsOf<InboundReplyParams>(replyFields),
  forward: paramsOf<InboundForwardParams>(
    { ...replyFields, to: (to) => notEmptyList(to) ?? replyFields.to(to ?? 0) },
    ['to'],
  ),
  ruleCreate: paramsOf(forwardRule, ['name']),
  ruleUpdate: updateOf(forwardRule),
} satisfies Record<string, Rule>;

/** What is wrong with the parameters of a method of `inbound`. */
export const inboundIssues = (rule: keyof typeof RULES, params: unknown): Issue[] =>
  paramIssues(RULES[rule], params);
