import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import type { DeliveryOptions, KnownDeliveryMode, ReplyTo } from './campaigns.ts';
import { oneOf, wholeFrom, type Rule } from '../core/rules.ts';
import { day, idNumber, issuesOf, once, rule, ruled, textUpTo, whole } from './check.ts';
import { momentOf, momentRule } from './moment.ts';

/** The template's writable fields. A field left out, or sent as null, keeps its value. */
export interface CampaignTemplateParams {
  /** At most 255 characters. Supports merge tags of the form `{{tag_name}}`. */
  subject?: string | null | undefined;
  /**
   * At most 10 000 000 characters. Optional for a draft; needed before it is scheduled or started. A design should hold
   * an anchor whose href contains `__unsubscribe_url__`.
   */
  body_html?: string | null | undefined;
  /** At most 10 000 000 characters. Supports `__unsubscribe_url__` too. */
  body_text?: string | null | undefined;
  /** Bare tag names without braces; replaces all of them. */
  merge_tags?: readonly string[] | null | undefined;
}

/** What `campaigns.update` may change. Only the fields given change. */
export interface CampaignUpdateParams {
  /** The campaign's name. */
  name?: string | undefined;
  /** An existing, verified sending domain. */
  domain_id?: number | undefined;
  /** Display name in the From header. */
  from_display_name?: string | null | undefined;
  /** Part of the From address before the @. */
  from_local_part?: string | undefined;
  /** Parts of the Reply-To address. */
  reply_to?: ReplyTo | null | undefined;
  /** The template, edited in place. */
  template_attributes?: CampaignTemplateParams | undefined;
  /** How the campaign goes out. */
  delivery_mode?: KnownDeliveryMode | undefined;
  /** How fast, when gradual. */
  delivery_options?: DeliveryOptions | null | undefined;
  /** The full set of included contact lists: those left out are removed. */
  contact_list_ids?: readonly number[] | undefined;
  /** The full set of included contact segments: those left out are removed. */
  contact_segment_ids?: readonly number[] | undefined;
}

/** What `campaigns.create` takes: the fields of an update, four of them required. */
export interface CampaignCreateParams extends CampaignUpdateParams {
  /** The campaign's name. */
  name: string;
  /** An existing, verified sending domain. */
  domain_id: number;
  /** Part of the From address before the @. */
  from_local_part: string;
  /** The template; its subject is required. */
  template_attributes: CampaignTemplateParams & {
    /** At most 255 characters. Supports merge tags of the form `{{tag_name}}`. */
    subject: string;
  };
}

/** Which campaigns `campaigns.list` gives, and from where. */
export interface CampaignListParams {
  /**
   * Page number to start at, from 1; a page's `pagination.next_token` resumes the list.
   * @defaultValue 1
   */
  token?: number | undefined;
  /**
   * Campaigns per page, 1 to 100.
   * @defaultValue 50
   */
  per_page?: number | undefined;
  /** Case-insensitive part of the name. */
  search?: string | undefined;
}

/** When `campaigns.schedule` sends. */
export interface CampaignScheduleParams {
  /** In the future, and at most one month ahead. A string is ISO 8601; give it its offset, or the service chooses one. */
  datetime: Date | string;
}

/** Which days `campaigns.stats` counts. */
export interface CampaignStatsParams {
  /** First day, `YYYY-MM-DD`; the day of the last start by default. */
  start_date?: string | undefined;
  /** Last day, `YYYY-MM-DD`, included; today by default. */
  end_date?: string | undefined;
}

/** Present or not, and undefined counts as not. */
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
 * The service, with the right clock, decides whether a moment lies ahead and within a month. Here only what no
 * clock could allow is refused.
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
