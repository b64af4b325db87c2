import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import type { DeliveryOptions, KnownDeliveryMode, ReplyTo } from './campaigns.ts';
import { oneOf, wholeFrom, type Rule } from '../core/rules.ts';
import { day, idNumber, issuesOf, once, rule, ruled, textUpTo, whole } from './check.ts';
import { momentOf, momentRule } from './moment.ts';

/** The writable fields of a campaign's template. In an update, a field left out or sent as null keeps its value. */
export interface CampaignTemplateParams {
  /** Subject line, at most 255 characters. Supports merge tags of the form `{{tag_name}}`. */
  subject?: string | null | undefined;
  /**
   * HTML design, at most 10 000 000 characters. Optional in a draft; required before the campaign is scheduled or
   * started. It should contain an anchor whose href contains `__unsubscribe_url__`.
   */
  body_html?: string | null | undefined;
  /** Plain-text alternative, at most 10 000 000 characters. Supports `__unsubscribe_url__` as well. */
  body_text?: string | null | undefined;
  /** Names of the merge tags, without braces; replaces the whole list. */
  merge_tags?: readonly string[] | null | undefined;
}

/** Parameters of `campaigns.update`. Only the fields given change. */
export interface CampaignUpdateParams {
  /** Name of the campaign. */
  name?: string | undefined;
  /** Id of an existing, verified sending domain. */
  domain_id?: number | undefined;
  /** Display name in the From header. */
  from_display_name?: string | null | undefined;
  /** Part of the From address before the @. */
  from_local_part?: string | undefined;
  /** Parts of the Reply-To address. */
  reply_to?: ReplyTo | null | undefined;
  /** The campaign's template, edited in place. */
  template_attributes?: CampaignTemplateParams | undefined;
  /** How the campaign is sent: as fast as possible, or at `delivery_options.emails_per_hour`. */
  delivery_mode?: KnownDeliveryMode | undefined;
  /** How fast the campaign is sent when `delivery_mode` is `gradual`. */
  delivery_options?: DeliveryOptions | null | undefined;
  /** Ids of all contact lists in the audience: those left out are removed. */
  contact_list_ids?: readonly number[] | undefined;
  /** Ids of all contact segments in the audience: those left out are removed. */
  contact_segment_ids?: readonly number[] | undefined;
}

/** Parameters of `campaigns.create`: those of `campaigns.update`, four of them required. */
export interface CampaignCreateParams extends CampaignUpdateParams {
  /** Name of the campaign. */
  name: string;
  /** Id of an existing, verified sending domain. */
  domain_id: number;
  /** Part of the From address before the @. */
  from_local_part: string;
  /** The campaign's template; its subject is required. */
  template_attributes: CampaignTemplateParams & {
    /** Subject line, at most 255 characters. Supports merge tags of the form `{{tag_name}}`. */
    subject: string;
  };
}

/** Parameters of `campaigns.list`. */
export interface CampaignListParams {
  /**
   * Number of the page to start at, from 1. To resume a list, pass the `pagination.next_token` of the last page read.
   * @defaultValue 1
   */
  token?: number | undefined;
  /**
   * Campaigns per page, 1 to 100.
   * @defaultValue 50
   */
  per_page?: number | undefined;
  /** Part of the campaign's name, in upper or lower case. */
  search?: string | undefined;
}

/** Parameters of `campaigns.schedule`. */
export interface CampaignScheduleParams {
  /**
   * When to send the campaign: in the future, and at most one month ahead. A string is an ISO 8601 date-time; include
   * its UTC offset, or the service chooses one.
   */
  datetime: Date | string;
}

/** Parameters of `campaigns.stats`: the days to count. */
export interface CampaignStatsParams {
  /** First day to count, `YYYY-MM-DD`; the day of the campaign's last start by default. */
  start_date?: string | undefined;
  /** Last day to count, `YYYY-MM-DD`, inclusive; today by default. */
  end_date?: string | undefined;
}

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
