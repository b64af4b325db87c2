import type { Issue } from '../core/errors.ts';
import { booleanRule, positiveRule, stringRule, type Rule } from '../core/rules.ts';
import { paramIssues, paramsOf, updateOf } from './check.ts';
import { momentRule } from './moment.ts';
import type {
  SandboxAttachmentListParams,
  SandboxForwardParams,
  SandboxMarkReadParams,
  SandboxMessageFilter,
  SandboxMessageListParams,
} from './sandbox-messages.ts';
import type { SandboxInboxUpdateParams, SandboxProjectParams } from './sandbox.ts';

/** The checks of arguments, by what is checked. */
const RULES = {
  name: paramsOf<SandboxProjectParams>({ name: stringRule }, ['name']),
  inbox: updateOf<SandboxInboxUpdateParams>({ name: stringRule, email_username: stringRule }),
  messages: paramsOf<SandboxMessageListParams>({ search: stringRule, last_id: positiveRule }),
  read: paramsOf<SandboxMarkReadParams>({ is_read: booleanRule }, ['is_read']),
  forward: paramsOf<SandboxForwardParams>({ email: stringRule }, ['email']),
  attachments: paramsOf<SandboxAttachmentListParams>({ attachment_type: stringRule }),
  filter: paramsOf<SandboxMessageFilter>(
    { inbox: positiveRule, to: stringRule, subject: stringRule, after: momentRule },
    ['inbox'],
  ),
} satisfies Record<string, Rule>;

/** What is wrong with the parameters of a method of `sandbox`. */
export const sandboxIssues = (rule: keyof typeof RULES, params: unknown): Issue[] =>
  paramIssues(RULES[rule], params);
