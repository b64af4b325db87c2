import { late } from '../../kit/late.ts';
import { booleanRule, objectOf, idRule, positiveRule, stringRule } from '../../core/rules.ts';
import { listOf, updateOf } from '../base/param-rules.ts';
import { momentRule } from '../../core/moment.ts';
import type {
  SandboxAttachmentListParams,
  SandboxForwardParams,
  SandboxMarkReadParams,
  SandboxMessageFilter,
  SandboxMessageListParams,
} from './message-types.ts';
import type { SandboxInboxCreateParams, SandboxInboxUpdateParams } from './types.ts';

export const sandboxInboxCreateRule = late(() =>
  objectOf<SandboxInboxCreateParams>({ name: stringRule, project_id: idRule }, ['name']),
);
export const sandboxInboxRule = late(() =>
  updateOf<SandboxInboxUpdateParams>({
    name: stringRule,
    email_username: stringRule,
  }),
);
export const sandboxMessageListRule = late(() =>
  listOf<SandboxMessageListParams>({
    search: stringRule,
    last_id: idRule,
    page: positiveRule,
  }),
);
export const sandboxReadRule = late(() =>
  objectOf<SandboxMarkReadParams>({ is_read: booleanRule }, ['is_read']),
);
export const sandboxForwardRule = late(() =>
  objectOf<SandboxForwardParams>({ email: stringRule }, ['email']),
);
export const sandboxAttachmentListRule = late(() =>
  listOf<SandboxAttachmentListParams>({
    attachment_type: stringRule,
  }),
);
export const sandboxFilterRule = late(() =>
  objectOf<SandboxMessageFilter>({ inbox: idRule, to: stringRule, subject: stringRule, after: momentRule }, [
    'inbox',
  ]),
);
