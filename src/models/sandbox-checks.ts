import { booleanRule, positiveRule, stringRule } from '../core/rules.ts';
import { paramsOf, updateOf } from './check.ts';
import { momentRule } from './moment.ts';
import type {
  SandboxAttachmentListParams,
  SandboxForwardParams,
  SandboxMarkReadParams,
  SandboxMessageFilter,
  SandboxMessageListParams,
} from './sandbox-messages.ts';
import type { SandboxInboxUpdateParams } from './sandbox.ts';

export const sandboxInboxRule = updateOf<SandboxInboxUpdateParams>({
  name: stringRule,
  email_username: stringRule,
});
export const sandboxMessageListRule = paramsOf<SandboxMessageListParams>({
  search: stringRule,
  last_id: positiveRule,
});
export const sandboxReadRule = paramsOf<SandboxMarkReadParams>({ is_read: booleanRule }, ['is_read']);
export const sandboxForwardRule = paramsOf<SandboxForwardParams>({ email: stringRule }, ['email']);
export const sandboxAttachmentListRule = paramsOf<SandboxAttachmentListParams>({
  attachment_type: stringRule,
});
export const sandboxFilterRule = paramsOf<SandboxMessageFilter>(
  { inbox: positiveRule, to: stringRule, subject: stringRule, after: momentRule },
  ['inbox'],
);
