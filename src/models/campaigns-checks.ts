import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import { oneOf, wholeFrom, type Rule } from '../core/rules.ts';
import type {
  CampaignCreateParams,
  CampaignListParams,
  CampaignScheduleParams,
  CampaignStatsParams,
  CampaignUpdateParams,
  KnownDeliveryMode,
} from './campaigns.ts';
import { day, idNumber, issuesOf, once, rule, ruled, textUpTo, whole } from './check.ts';
import { momentOf, momentRule } from './moment.ts';

/** A field that may be absent or undefined. */
const maybe = z.optional;
const maybeNull = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));

const BODY_MAX = 10_000_000;

const templateFields = () => ({
  body_html: maybeNull(textUpTo(BODY_MAX)),
  body_text: maybeNull(textUpTo(BODY_MAX)),
  merge_tags: maybeNull(z.array(z.string())),
});

const optionalFields = () => ({
  from_display_name: maybeNull(z.string()),
  reply_to: maybeNull(
    z.strictObject({
      display_name: maybeNull(z.string()),
      local_part: maybeNull(z.string()),
      domain: maybeNull(z.string()),
    }),
  ),
  delivery_mode: maybe(ruled<KnownDeliveryMode>(oneOf(['rapid', 'gradual']))),
  delivery_options: maybeNull(z.strictObject({ emails_per_hour: maybeNull(whole()) })),
  contact_list_ids: maybe(z.array(idNumber())),
  contact_segment_ids: maybe(z.array(idNumber())),
});

const createParams = once((): z.ZodMiniType<CampaignCreateParams> =>
  z.strictObject({
    name: z.string(),
    domain_id: idNumber(),
    from_local_part: z.string(),
    template_attributes: z.strictObject({ subject: textUpTo(255), ...templateFields() }),
    ...optionalFields(),
  }),
);

const updateParams = once((): z.ZodMiniType<CampaignUpdateParams> =>
  z.strictObject({
    name: maybe(z.string()),
    domain_id: maybe(idNumber()),
    from_local_part: maybe(z.string()),
    template_attributes: maybe(z.strictObject({ subject: maybeNull(textUpTo(255)), ...templateFields() })),
    ...optionalFields(),
  }),
);

const listParams = once((): z.ZodMiniType<CampaignListParams> =>
  z.strictObject({
    token: maybe(idNumber()),
    per_page: maybe(ruled<number>(wholeFrom(1, 100))),
    search: maybe(z.string()),
  }),
);

const DAY_MS = 86_400_000;

/**
 * Whether a moment is in the future and within a month is for the service to decide, by its own clock. This refuses
 * only what no difference between clocks could make acceptable.
 */
function scheduleRule(datetime: unknown): ReturnType<Rule> {
  const ahead = momentOf(datetime) - Date.now();
  if (ahead < -DAY_MS || ahead > 32 * DAY_MS) return 'must be in the future and at most one month ahead';
  return momentRule(datetime);
}

const scheduleParams = once((): z.ZodMiniType<CampaignScheduleParams> =>
  z.strictObject({ datetime: ruled<Date | string>(scheduleRule) }),
);

const statsParams = once((): z.ZodMiniType<CampaignStatsParams> =>
  z
    .strictObject({ start_date: maybe(day()), end_date: maybe(day()) })
    .check(
      rule(
        ({ start_date = '', end_date }) => end_date === undefined || start_date <= end_date,
        'must not be before start_date',
        ['end_date'],
      ),
    ),
);

/** What is wrong with the parameters of `campaigns.create`. */
export const campaignCreateIssues = (params: unknown): Issue[] => issuesOf(createParams(), params);
/** What is wrong with the parameters of `campaigns.update`. */
export const campaignUpdateIssues = (params: unknown): Issue[] => issuesOf(updateParams(), params);
/** What is wrong with the parameters of `campaigns.list`. */
export const campaignListIssues = (params: unknown): Issue[] => issuesOf(listParams(), params);
/** What is wrong with the parameters of `campaigns.schedule`. */
export const campaignScheduleIssues = (params: unknown): Issue[] => issuesOf(scheduleParams(), params);
/** What is wrong with the parameters of `campaigns.stats`. */
export const campaignStatsIssues = (params: unknown): Issue[] => issuesOf(statsParams(), params);
