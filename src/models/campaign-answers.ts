import * as z from 'zod/mini';
import type { PageBody } from '../core/pager.ts';
import type { Campaign, CampaignPage, CampaignStats, CampaignSummary } from './campaigns.ts';
import { answerSchema, once } from './check.ts';

// Loose throughout: keys and enum values this version does not know are the service's to add.

const nullish = <T extends z.core.$ZodType>(schema: T) => z.exactOptional(z.nullable(schema));

const templateFields = () => ({ id: z.int(), subject: z.string(), merge_tags: z.array(z.string()) });

const summaryFields = () => ({
  id: z.int(),
  domain_id: z.int(),
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
    errors: z.exactOptional(z.array(z.looseObject({ message: z.string(), rcpt_index: z.int() }))),
    scheduled_at: z.exactOptional(z.string()),
  }),
  created_at: z.string(),
  updated_at: z.string(),
  last_started_at: z.nullable(z.string()),
  last_started_at_date: z.exactOptional(z.string()),
  recipient_total_count: z.nullable(z.int()),
  contact_list_ids: z.array(z.int()),
  contact_segment_ids: z.array(z.int()),
  delivery_mode: z.string(),
  delivery_options: z.looseObject({ emails_per_hour: nullish(z.int()) }),
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

/** The answer of every method that gives one campaign. */
export const campaignAnswer = answerSchema((): z.ZodMiniType<{ data: Campaign }> =>
  z.looseObject({ data: campaign() }),
);

/** The answer of `campaigns.list`. */
export const campaignListAnswer = answerSchema((): z.ZodMiniType<PageBody<CampaignPage>> =>
  z.looseObject({
    data: z.array(summary()),
    pagination: z.looseObject({
      token: z.int(),
      prev_token: z.nullable(z.int()),
      next_token: z.nullable(z.int()),
      first_url: z.string(),
      prev_url: z.nullable(z.string()),
      current_url: z.string(),
      next_url: z.nullable(z.string()),
    }),
  }),
);

/** The answer of `campaigns.stats`. */
export const campaignStatsAnswer = answerSchema((): z.ZodMiniType<{ data: CampaignStats }> =>
  z.looseObject({
    data: z.looseObject({
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
    }),
  }),
);
