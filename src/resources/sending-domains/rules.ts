import { late } from '../../kit/late.ts';
import { booleanRule, objectOf, stringRule } from '../../core/rules.ts';
import { updateOf } from '../base/param-rules.ts';
import type { SendingDomainCreateParams, SendingDomainUpdateParams } from './types.ts';

/** The parameters of `sendingDomains.create`. */
export const domainCreateRule = late(() =>
  objectOf<SendingDomainCreateParams>({ domain_name: stringRule }, ['domain_name']),
);

/** The parameters of `sendingDomains.update`. */
export const domainUpdateRule = late(() =>
  updateOf<SendingDomainUpdateParams>({
    open_tracking_enabled: booleanRule,
    click_tracking_enabled: booleanRule,
    auto_unsubscribe_link_enabled: booleanRule,
    tracking_opt_out_enabled: booleanRule,
    inbound_enabled: booleanRule,
  }),
);

/** The parameters of `sendingDomains.sendSetupInstructions`. */
export const domainSetupRule = late(() => objectOf<{ email: string }>({ email: stringRule }, ['email']));
