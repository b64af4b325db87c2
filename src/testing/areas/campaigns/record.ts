/** The state of a campaign. */
export type EmulatorCampaignState =
  | 'draft'
  | 'scheduled'
  | 'started'
  | 'queued'
  | 'paused'
  | 'terminating'
  | 'under_review'
  | 'finished'
  | 'failed'
  | 'failed_immediately';

export const CAMPAIGN_STATES: readonly EmulatorCampaignState[] = [
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
];

/** The given parts of a Reply-To address. */
export interface ReplyTo {
  readonly display_name?: string;
  readonly local_part?: string;
  readonly domain?: string;
}

/** The attributes that a caller can write. */
export interface CampaignAttributes {
  name: string;
  domainId: number;
  fromLocalPart: string;
  fromDisplayName: string | null;
  replyTo: ReplyTo;
  deliveryMode: 'rapid' | 'gradual';
  deliveryOptions: { readonly emails_per_hour?: number | null };
  contactListIds: readonly number[];
  contactSegmentIds: readonly number[];
  subject: string;
  bodyHtml: string | null;
  bodyText: string | null;
  mergeTags: readonly string[];
}

/** A campaign as the emulator stores it. Times are milliseconds on the emulator's clock. */
export interface CampaignRecord {
  readonly id: number;
  readonly accountId: number;
  readonly templateId: number;
  readonly createdAt: number;
  attributes: CampaignAttributes;
  updatedAt: number;
  state: EmulatorCampaignState;
  metadata: Readonly<Record<string, unknown>>;
  /** Counts the state changes. A transition that was planned before the last one is dropped. */
  epoch: number;
  lastStartedAt: number | null;
  recipients: number | null;
  /** The share of the recipients that were sent to, once sending has ended. */
  sentShare: number;
}
