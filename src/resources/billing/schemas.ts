import * as z from 'zod';
import type { BillingCount, BillingProduct, BillingUsage } from './types.ts';
import type { BillingResponses } from './endpoints.ts';
import type { SchemaFor, SchemaOf } from '../base/schema-of.ts';

const count = z.looseObject({ current: z.int(), limit: z.int() }) satisfies SchemaOf<BillingCount>;
const product = z.looseObject({
  plan: z.looseObject({ name: z.string() }) satisfies SchemaOf<BillingProduct['plan']>,
  usage: z.looseObject({
    sent_messages_count: count.optional(),
    forwarded_messages_count: count.optional(),
  }) satisfies SchemaOf<BillingProduct['usage']>,
}) satisfies SchemaOf<BillingProduct>;

/** The usage in the current billing cycle: the result of `billing.usage`. */
export const billingUsage = z.looseObject({
  billing: z.looseObject({ cycle_start: z.string(), cycle_end: z.string() }) satisfies SchemaOf<
    BillingUsage['billing']
  >,
  testing: product.optional(),
  sending: product.optional(),
  marketing: product.optional(),
}) satisfies SchemaFor<BillingResponses['billingUsage']>;
