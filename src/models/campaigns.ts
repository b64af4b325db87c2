import type { LiteralUnion } from 'type-fest';
import type { Page } from '../core/pager.ts';

/** The campaign states the specification names. */
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

/** A campaign state the specification names. */
export type KnownCampaignState = (typeof CAMPAIGN_STATES)[number];

/** A campaign's state: one of the known ones, or one the service has added since. */
export type CampaignState = LiteralUnion<KnownCampaignState, string>;

/** Whether a state is one this version of the package knows. */
export function isKnownCampaignState(state: string): state is KnownCampaignState {
  return (CAMPAIGN_STATES as readonly string[]).includes(state);
}

/** How a campaign goes out: `rapid`, as fast as possible, or `gradual`, at `delivery_options.emails_per_hour`. */
export type KnownDeliveryMode = 'rapid' | 'gradual';

/** A delivery mode: one of the known ones, or one the service has added since. */
export type DeliveryMode = LiteralUnion<KnownDeliveryMode, string>;

/** Whether a delivery mode is one this version of the package knows. */
export function isKnownDeliveryMode(mode: string): mode is KnownDeliveryMode {
  return mode === 'rapid' || mode === 'gradual';
}

/** The parts of a Reply-To address. */
export interface ReplyTo {
  /** The name shown beside the address. */
  display_name?: string | null | undefined;
  /** What stands before the @. */
  local_part?: string | null | undefined;
  /** What stands after the @. */
  domain?: string | null | undefined;
}

/** How fast a gradual campaign goes out. */
export interface DeliveryOptions {
  /** Mails per hour when `delivery_mode` is `gradual`. */
  emails_per_hour?: number | null | undefined;
}

/** What is known of the latest state transition; which keys there are depends on the state. */
export interface CampaignStateMetadata {
  /** Why the campaign is in this state. */
  reason?: string;
  /** Last error message of a failed campaign. */
  error?: string;
  /** Per-recipient errors when sending failed. */
  errors?: {
    /** What went wrong. */
    message: string;
    /** Position of the recipient in the audience. */
    rcpt_index: number;
  }[];
  /** When the campaign goes out, ISO 8601; present in state `scheduled`. */
  scheduled_at?: string;
}

/** A campaign's template as a list shows it: without its bodies. */
export interface CampaignTemplateSummary {
  /** The template's id. */
  id: number;
  /** Subject line; may hold merge tags of the form `{{tag_name}}`. */
  subject: string;
  /** Bare tag names, without braces. */
  merge_tags: string[];
}

/** A campaign's template with its bodies. */
export interface CampaignTemplate extends CampaignTemplateSummary {
  /** The HTML design; null until there is one. */
  body_html: string | null;
  /** The plain-text alternative; null when there is none. */
  body_text: string | null;
}

/** A campaign as a list shows it: everything but its template's bodies. */
export interface CampaignSummary {
  /** The campaign's id. */
  id: number;
  /** Sending domain used by the campaign. */
  domain_id: number;
  /** Name of the sending domain. */
  domain_name: string;
  /** The campaign's name. */
  name: string;
  /** Part of the From address before the @. */
  from_local_part: string;
  /** Display name in the From header; null when unset. */
  from_display_name: string | null;
  /** Parts of the Reply-To address; `{}` when unset. */
  reply_to: ReplyTo;
  /** Where the campaign is in its life. */
  current_state: CampaignState;
  /** About the latest state transition; `{}` in a draft. */
  current_state_metadata: CampaignStateMetadata;
  /** ISO 8601 date-time. */
  created_at: string;
  /** ISO 8601 date-time. */
  updated_at: string;
  /** ISO 8601 date-time; null when never started. */
  last_started_at: string | null;
  /** Day of the last start, `YYYY-MM-DD`; present only when the campaign has been started. */
  last_started_at_date?: string;
  /** Recipients; null until the audience is resolved. */
  recipient_total_count: number | null;
  /** Contact lists in the audience. */
  contact_list_ids: number[];
  /** Contact segments in the audience. */
  contact_segment_ids: number[];
  /** How the campaign goes out. */
  delivery_mode: DeliveryMode;
  /** How fast it goes out; `{}` when unset. */
  delivery_options: DeliveryOptions;
  /** The template, created together with the campaign. */
  template: CampaignTemplateSummary;
}

/** A campaign with everything there is to know, its template's bodies included. */
export interface Campaign extends CampaignSummary {
  /** The template with its bodies. */
  template: CampaignTemplate;
}

/**
 * A campaign's statistics, by the public reference; all 0 when it was never started. Aggregated by the service with a short delay. Counts are
 * whole numbers and rates fractions from 0 to 1: delivery, bounce and spam of what was sent; open, click and
 * unsubscription of what was delivered.
 */
export interface CampaignStats {
  /** Mails sent. */
  sent_count: number;
  /** Mails delivered. */
  delivery_count: number;
  /** Mails bounced. */
  bounce_count: number;
  /** Mails opened. */
  open_count: number;
  /** Mails with a click. */
  click_count: number;
  /** Spam complaints. */
  spam_count: number;
  /** Unsubscriptions. */
  unsubscription_count: number;
  /** Delivered of sent. */
  delivery_rate: number;
  /** Bounced of sent. */
  bounce_rate: number;
  /** Opened of delivered. */
  open_rate: number;
  /** Clicked of delivered. */
  click_rate: number;
  /** Complained of sent. */
  spam_rate: number;
  /** Unsubscribed of delivered. */
  unsubscription_rate: number;
}

/** Where a page stands in a list of numbered pages. */
export interface TokenPagination {
  /** This page's number. */
  token: number;
  /** The page before; null on the first. */
  prev_token: number | null;
  /** The page after; null on the last. */
  next_token: number | null;
  /** Address of the first page. */
  first_url: string;
  /** Address of the page before; null on the first. */
  prev_url: string | null;
  /** Address of this page. */
  current_url: string;
  /** Address of the page after; null on the last. */
  next_url: string | null;
}

/** One page of campaigns. */
export interface CampaignPage extends Page<CampaignSummary> {
  /** The page's campaigns, newest first. */
  readonly data: CampaignSummary[];
  /** Where the page stands in the list. */
  readonly pagination: TokenPagination;
}
