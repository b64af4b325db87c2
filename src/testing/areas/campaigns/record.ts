/** A state of a campaign. */
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

/** The parts of a Reply-To address that were given. */
export interface ReplyTo {
  readonly display_name?: string;
  readonly local_part?: string;
  readonly domain?: string;
}

/** What a caller can write. */
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

/** A campaign as the emulator keeps it. Times are milliseconds on the emulator's clock. */
export interface CampaignRecord {
  readonly id: number;
  readonly accountId: number;
  readonly templateId: number;
  readonly createdAt: number;
  attributes: CampaignAttributes;
  updatedAt: number;
  state: EmulatorCampaignState;
  metadata: Readonly<Record<string, unknown>>;
  /** Counts the changes of state, so that what was planned for an earlier one is known to be stale. */
  epoch: number;
  lastStartedAt: number | null;
  recipients: number | null;
  /** Share of the recipients sent to, once sending is over or was broken off. */
  sentShare: number;
  removed: boolean;
}
