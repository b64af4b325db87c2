import type { LiteralUnion } from 'type-fest';
import type { NumberedPage, NumberedPageParams } from '../base/numbered-page.ts';

/** The campaign states that this version of the package knows. */
export const CAMPAIGN_STATES = [
  'draft',
  'scheduled',
  'started',
  'queued',
  'paused',
  'terminating',
  'under_review',
  'finished',
  'failed',
  'failed_immediately',
] as const;

/** A campaign state that this version of the package knows. */
export type KnownCampaignState = (typeof CAMPAIGN_STATES)[number];

/** A campaign's state: one of the known ones, or one the service has added since. */
export type CampaignState = LiteralUnion<KnownCampaignState, string>;

/** Whether this version of the package knows a campaign state. */
export function isKnownCampaignState(state: string): state is KnownCampaignState {
  return (CAMPAIGN_STATES as readonly string[]).includes(state);
}

/** Whether a campaign in this state has ended: `finished`, `failed` or `failed_immediately`. */
export function isFinishedCampaignState(
  state: string,
): state is 'finished' | 'failed' | 'failed_immediately' {
  return ['finished', 'failed', 'failed_immediately'].includes(state);
}

/** How a campaign is sent: `rapid`, as fast as possible, or `gradual`, at `delivery_options.emails_per_hour`. */
export type KnownDeliveryMode = 'rapid' | 'gradual';

/** How a campaign is sent: one of the known modes, or one the service has added since. */
export type DeliveryMode = LiteralUnion<KnownDeliveryMode, string>;

/** The parts of a Reply-To address. */
export interface ReplyTo {
  /** Display name. */
  display_name?: string | null | undefined;
  /** Part of the address before the @. */
  local_part?: string | null | undefined;
  /** Part of the address after the @. */
  domain?: string | null | undefined;
}

/** How fast a gradual campaign is sent. */
export interface DeliveryOptions {
  /** Emails per hour; applies when `delivery_mode` is `gradual`. */
  emails_per_hour?: number | null | undefined;
}

/** Details of a campaign's latest state transition; which keys are present depends on the state. */
export interface CampaignStateMetadata {
  /** Why the campaign is in this state. */
  reason?: string | undefined;
  /** Last error message of a failed campaign. */
  error?: string | undefined;
  /** Per-recipient errors when sending failed. */
  errors?:
    | {
        /** Error message for the recipient. */
        message: string;
        /** Position of the recipient in the audience. */
        rcpt_index: number;
      }[]
    | undefined;
  /** When the campaign will be sent, as an ISO 8601 date-time; present in state `scheduled`. */
  scheduled_at?: string | undefined;
}

/** A campaign's template as `campaigns.list` returns it, without its bodies. */
export interface CampaignTemplateSummary {
  /** Id of the template. */
  id: number;
  /** Subject line; may contain merge tags of the form `{{tag_name}}`. */
  subject: string;
  /** Names of the merge tags, without braces. */
  merge_tags: string[];
}

/** A campaign's template with its bodies. */
export interface CampaignTemplate extends CampaignTemplateSummary {
  /** HTML design; null until there is one. */
  body_html: string | null;
  /** Plain-text alternative; null when there is none. */
  body_text: string | null;
}

/** A campaign as `campaigns.list` returns it: everything except its template's bodies. */
export interface CampaignSummary {
  /** Id of the campaign. */
  id: number;
  /** Id of the campaign's sending domain. */
  domain_id: number;
  /** Name of the campaign's sending domain. */
  domain_name: string;
  /** Name of the campaign. */
  name: string;
  /** Part of the From address before the @. */
  from_local_part: string;
  /** Display name in the From header; null when unset. */
  from_display_name: string | null;
  /** Parts of the Reply-To address; `{}` when unset. */
  reply_to: ReplyTo;
  /** Current state of the campaign. */
  current_state: CampaignState;
  /** Details of the latest state transition; `{}` in a draft. */
  current_state_metadata: CampaignStateMetadata;
  /** When the campaign was created, as an ISO 8601 date-time. */
  created_at: string;
  /** When the campaign was last changed, as an ISO 8601 date-time. */
  updated_at: string;
  /** When the campaign was last started, as an ISO 8601 date-time; null when never started. */
  last_started_at: string | null;
  /** Day of the last start, `YYYY-MM-DD`; present only when the campaign has been started. */
  last_started_at_date?: string | undefined;
  /** Number of recipients; null until the audience is resolved. */
  recipient_total_count: number | null;
  /** Ids of the contact lists in the audience. */
  contact_list_ids: number[];
  /** Ids of the contact segments in the audience. */
  contact_segment_ids: number[];
  /** How the campaign is sent: as fast as possible, or at `delivery_options.emails_per_hour`. */
  delivery_mode: DeliveryMode;
  /** How fast a gradual campaign is sent; `{}` when unset. */
  delivery_options: DeliveryOptions;
  /** The campaign's template, created together with it. */
  template: CampaignTemplateSummary;
}

/** A campaign with its template's bodies. */
export interface Campaign extends CampaignSummary {
  /** The campaign's template with its bodies. */
  template: CampaignTemplate;
}

/**
 * A campaign's statistics; all 0 when it was never started. The service aggregates them with a short delay. Counts
 * are whole numbers, rates are fractions from 0 to 1.
 */
export interface CampaignStats {
  /** Number of emails sent. */
  sent_count: number;
  /** Number of emails delivered. */
  delivery_count: number;
  /** Number of emails that bounced. */
  bounce_count: number;
  /** Number of emails opened. */
  open_count: number;
  /** Number of emails with a click. */
  click_count: number;
  /** Number of spam complaints. */
  spam_count: number;
  /** Number of unsubscriptions. */
  unsubscription_count: number;
  /** Deliveries per email sent, from 0 to 1. */
  delivery_rate: number;
  /** Bounces per email sent, from 0 to 1. */
  bounce_rate: number;
  /** Opens per email delivered, from 0 to 1. */
  open_rate: number;
  /** Clicks per email delivered, from 0 to 1. */
  click_rate: number;
  /** Spam complaints per email sent, from 0 to 1. */
  spam_rate: number;
  /** Unsubscriptions per email delivered, from 0 to 1. */
  unsubscription_rate: number;
}

/** One page of `campaigns.list`. */
export interface CampaignPage extends NumberedPage<CampaignSummary> {
  /** The page's campaigns, newest first. */
  readonly data: CampaignSummary[];
}

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

/** Parameters of `campaigns.update`. Only the given fields change. */
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
export interface CampaignListParams extends NumberedPageParams {
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
