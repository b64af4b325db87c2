import * as z from 'zod/mini';
import type { PageBody } from '../core/pager.ts';
import type { Campaign, CampaignPage, CampaignStats, CampaignSummary } from './campaigns.ts';
import { answerSchema, once, whole } from './answer.ts';

// Loose throughout: the service may add keys and enum values that this version does not know.

const nullish = <T extends z.core.$ZodType>(schema: T) => z.exactOptional(z.nullable(schema));

const templateFields = () => ({ id: whole(), subject: z.string(), merge_tags: z.array(z.string()) });

const summaryFields = () => ({
  id: whole(),
  domain_id: whole(),
  domain_name: z.string(),
  name: z.string(),
  from_local_part: z.string(),
  from_display_name: z.nullable(z.string()),
  reply_to: z.looseObject({
    display_name: nullish(z.string()),
    local_part: nullish(z.string()),
    domain: nullish(z.string()),
  }),
  current_state: z.string(),
  current_state_metadata: z.looseObject({
    reason: z.exactOptional(z.string()),
    error: z.exactOptional(z.string()),
    errors: z.exactOptional(z.array(z.looseObject({ message: z.string(), rcpt_index: whole() }))),
    scheduled_at: z.exactOptional(z.string()),
  }),
  created_at: z.string(),
  updated_at: z.string(),
  last_started_at: z.nullable(z.string()),
  last_started_at_date: z.exactOptional(z.string()),
  recipient_total_count: z.nullable(whole()),
  contact_list_ids: z.array(whole()),
  contact_segment_ids: z.array(whole()),
  delivery_mode: z.string(),
  delivery_options: z.looseObject({ emails_per_hour: nullish(whole()) }),
});

const summary = once((): z.ZodMiniType<CampaignSummary> =>
  z.looseObject({ ...summaryFields(), template: z.looseObject(templateFields()) }),
);

const campaign = once((): z.ZodMiniType<Campaign> =>
  z.looseObject({
    ...summaryFields(),
    template: z.looseObject({
      ...templateFields(),
      body_html: z.nullable(z.string()),
      body_text: z.nullable(z.string()),
    }),
  }),
);

/** The response of every method that returns one campaign. */
export const campaignAnswer = answerSchema((): z.ZodMiniType<{ data: Campaign }> =>
  z.looseObject({ data: campaign() }),
);

/** The response of `campaigns.list`. */
export const campaignListAnswer = answerSchema((): z.ZodMiniType<PageBody<CampaignPage>> =>
  z.looseObject({
    data: z.array(summary()),
    pagination: z.looseObject({
      token: whole(),
      prev_token: z.nullable(whole()),
      next_token: z.nullable(whole()),
      first_url: z.string(),
      prev_url: z.nullable(z.string()),
      current_url: z.string(),
      next_url: z.nullable(z.string()),
    }),
  }),
);

/** The response of `campaigns.stats`. */
export const campaignStatsAnswer = answerSchema((): z.ZodMiniType<{ data: CampaignStats }> =>
  z.looseObject({
    data: z.looseObject({
      sent_count: whole(),
      delivery_count: whole(),
      bounce_count: whole(),
      open_count: whole(),
      click_count: whole(),
      spam_count: whole(),
      unsubscription_count: whole(),
      delivery_rate: z.number(),
      bounce_rate: z.number(),
      open_rate: z.number(),
      click_rate: z.number(),
      spam_rate: z.number(),
      unsubscription_rate: z.number(),
    }),
  }),
);
