import type { Issue } from '../core/errors.ts';
import { booleanRule, stringRule } from '../core/rules.ts';
import { paramIssues, paramsOf, updateOf } from './check.ts';
import type { SendingDomainCreateParams, SendingDomainUpdateParams } from './sending-domains.ts';

const domainCreateRule = paramsOf<SendingDomainCreateParams>({ domain_name: stringRule }, ['domain_name']);

const domainUpdateRule = updateOf<SendingDomainUpdateParams>({
  open_tracking_enabled: booleanRule,
  click_tracking_enabled: booleanRule,
  auto_unsubscribe_link_enabled: booleanRule,
  tracking_opt_out_enabled: booleanRule,
  inbound_enabled: booleanRule,
});

const domainSetupRule = paramsOf<{ email: string }>({ email: stringRule }, ['email']);

/** What is wrong with the parameters of `sendingDomains.create`. */
export const domainCreateIssues = (params: unknown): Issue[] => paramIssues(domainCreateRule, params);
/** What is wrong with the parameters of `sendingDomains.update`. */
export const domainUpdateIssues = (params: unknown): Issue[] => paramIssues(domainUpdateRule, params);
/** What is wrong with the parameters of `sendingDomains.sendSetupInstructions`. */
export const domainSetupIssues = (params: unknown): Issue[] => paramIssues(domainSetupRule, params);
