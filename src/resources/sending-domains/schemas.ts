import * as z from 'zod';
import type { DnsRecord, SendingDomain } from './types.ts';
import type { SendingDomainResponses } from './endpoints.ts';
import type { SchemaFor, SchemaOf } from '../base/schema-of.ts';

/** A sending domain: the result of `sendingDomains.create`, `get` and `update`. */
export const sendingDomain = z.looseObject({
  id: z.int(),
  domain_name: z.string(),
  demo: z.boolean(),
  compliance_status: z.string(),
  dns_verified: z.boolean(),
  // Empty, not null, while the domain is not verified.
  dns_verified_at: z.string().nullish(),
  dns_records: z.array(
    z.looseObject({
      key: z.string(),
      domain: z.string().optional(),
      type: z.string().nullish(),
      value: z.string().nullish(),
      name: z.string(),
      status: z.string().nullish(),
    }) satisfies SchemaOf<DnsRecord>,
  ),
  open_tracking_enabled: z.boolean(),
  click_tracking_enabled: z.boolean(),
  auto_unsubscribe_link_enabled: z.boolean(),
  tracking_opt_out_enabled: z.boolean().optional(),
  inbound_enabled: z.boolean().optional(),
  inbound_verified: z.boolean().optional(),
  custom_domain_tracking_enabled: z.boolean(),
  health_alerts_enabled: z.boolean(),
  critical_alerts_enabled: z.boolean(),
  alert_recipient_email: z.string().nullable(),
  permissions: z.looseObject({
    can_read: z.boolean(),
    can_update: z.boolean(),
    can_destroy: z.boolean(),
  }) satisfies SchemaOf<SendingDomain['permissions']>,
}) satisfies SchemaFor<SendingDomainResponses['sendingDomain']>;

/** The response of `sendingDomains.list`. */
export const sendingDomainPage = z.looseObject({
  data: z.array(sendingDomain),
}) satisfies SchemaFor<SendingDomainResponses['sendingDomainPage']>;
