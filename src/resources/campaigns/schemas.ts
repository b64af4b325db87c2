import * as z from 'zod';
import type {
  CampaignStateMetadata,
  CampaignSummary,
  CampaignTemplate,
  CampaignTemplateSummary,
  DeliveryOptions,
  ReplyTo,
} from './types.ts';
import { numberedPage } from '../base/page-schemas.ts';
import type { CampaignResponses } from './endpoints.ts';
import type { SchemaFor, SchemaOf } from '../base/schema-of.ts';

const templateSummary = z.looseObject({
  id: z.int(),
  subject: z.string(),
  merge_tags: z.array(z.string()),
}) satisfies SchemaOf<CampaignTemplateSummary>;

/** A campaign as `campaigns.list` returns it: everything except its template's bodies. */
export const campaignSummary = z.looseObject({
  id: z.int(),
  domain_id: z.int(),
  domain_name: z.string(),
  name: z.string(),
  from_local_part: z.string(),
  from_display_name: z.string().nullable(),
  // `{}` when unset, as are `current_state_metadata` in a draft and `delivery_options`.
  reply_to: z.looseObject({
    display_name: z.string().nullish(),
    local_part: z.string().nullish(),
    domain: z.string().nullish(),
  }) satisfies SchemaOf<ReplyTo>,
  current_state: z.string(),
  current_state_metadata: z.looseObject({
    reason: z.string().optional(),
    error: z.string().optional(),
    errors: z.array(z.looseObject({ message: z.string(), rcpt_index: z.int() })).optional(),
    scheduled_at: z.string().optional(),
  }) satisfies SchemaOf<CampaignStateMetadata>,
  created_at: z.string(),
  updated_at: z.string(),
  last_started_at: z.string().nullable(),
  last_started_at_date: z.string().optional(),
  recipient_total_count: z.int().nullable(),
  contact_list_ids: z.array(z.int()),
  contact_segment_ids: z.array(z.int()),
  delivery_mode: z.string(),
  delivery_options: z.looseObject({
    emails_per_hour: z.int().nullish(),
  }) satisfies SchemaOf<DeliveryOptions>,
  template: templateSummary,
}) satisfies SchemaOf<CampaignSummary>;

/** A campaign with its template's bodies: the result of every method of `campaigns` that returns one campaign. */
export const campaign = campaignSummary.extend({
  template: templateSummary.extend({
    body_html: z.string().nullable(),
    body_text: z.string().nullable(),
  }) satisfies SchemaOf<CampaignTemplate>,
}) satisfies SchemaFor<CampaignResponses['campaign']>;

/** The response of `campaigns.list`: one page. */
export const campaignPage = numberedPage(campaignSummary) satisfies SchemaFor<
  CampaignResponses['campaignPage']
>;

/** The result of `campaigns.stats`. */
export const campaignStats = z.looseObject({
  sent_count: z.int(),
  delivery_count: z.int(),
  bounce_count: z.int(),
  open_count: z.int(),
  click_count: z.int(),
  spam_count: z.int(),
  unsubscription_count: z.int(),
  delivery_rate: z.number(),
  bounce_rate: z.number(),
  open_rate: z.number(),
  click_rate: z.number(),
  spam_rate: z.number(),
  unsubscription_rate: z.number(),
}) satisfies SchemaFor<CampaignResponses['campaignStats']>;
