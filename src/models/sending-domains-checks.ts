import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import { changesSomething, issuesOf, once } from './check.ts';
import type { SendingDomainCreateParams, SendingDomainUpdateParams } from './sending-domains.ts';

const createParams = once((): z.ZodMiniType<SendingDomainCreateParams> =>
  z.strictObject({ domain_name: z.string() }),
);

const updateParams = once((): z.ZodMiniType<SendingDomainUpdateParams> => {
  const flag = z.optional(z.boolean());
  return z
    .strictObject({
      open_tracking_enabled: flag,
      click_tracking_enabled: flag,
      auto_unsubscribe_link_enabled: flag,
      tracking_opt_out_enabled: flag,
      inbound_enabled: flag,
    })
    .check(changesSomething());
});

const setupParams = once(() => z.strictObject({ email: z.string() }));

/** What is wrong with the parameters of `sendingDomains.create`. */
export const domainCreateIssues = (params: unknown): Issue[] => issuesOf(createParams(), params);
/** What is wrong with the parameters of `sendingDomains.update`. */
export const domainUpdateIssues = (params: unknown): Issue[] => issuesOf(updateParams(), params);
/** What is wrong with the parameters of `sendingDomains.sendSetupInstructions`. */
export const domainSetupIssues = (params: unknown): Issue[] => issuesOf(setupParams(), params);
