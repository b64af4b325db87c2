/** Campaigns, and the way of an email to its recipients. May import every other room of the state. */
import { duration, oneOf } from '../../../declare/kind.ts';
import { option, type Options, type Settings } from '../../../declare/option.ts';
import type { State } from '../base/state.ts';
import { emptyTable, type Row, Table } from '../base/table.ts';
import type { Mailing } from './mailing.ts';

/** The timing of campaigns, which is not published. */
export interface EmulatorCampaignTiming {
  /**
   * How long a campaign takes from `started` to `finished`, in milliseconds.
   * @defaultValue 60_000
   */
  sendMs?: number;
  /**
   * How long a campaign takes from `terminating` to `finished`, in milliseconds.
   * @defaultValue 5000
   */
  terminateMs?: number;
  /**
   * The state of a campaign when sending begins.
   * @defaultValue 'started'
   */
  startedState?: 'started' | 'queued';
}

export type CampaignSettings = Settings<EmulatorCampaignTiming>;

export const campaignOptions: Options<EmulatorCampaignTiming> = {
  sendMs: option(duration, 60_000, 'not published; long enough to be seen, short enough to be waited for'),
  terminateMs: option(duration, 5000, 'not published'),
  startedState: option(
    oneOf(['started', 'queued']),
    'started',
    'what published clients of the service expect',
  ),
};

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
export interface CampaignRecord extends Row<number> {
  readonly templateId: number;
  readonly createdAt: number;
  attributes: CampaignAttributes;
  updatedAt: number;
  state: EmulatorCampaignState;
  metadata: Readonly<Record<string, unknown>>;
  /** Counts the state changes. A transition that was planned in an earlier epoch is dropped. */
  epoch: number;
  lastStartedAt: number | null;
  recipients: number | null;
  /** The share of the unknown recipients that got the email, after the end of sending. */
  sentShare: number;
  /** The emails to the known recipients since the last start; `null` if there are none. */
  mailing: Mailing | null;
  /** The number of known recipients at the last start. */
  known: number;
  /** The ids of the contacts that get the email, in the order of their turns; empty after the last. */
  queue: readonly string[];
}

/** All campaigns. */
export class CampaignStore extends Table<CampaignRecord> {
  constructor(state: State) {
    super(state.part('campaigns', emptyTable<CampaignRecord>(1001)));
  }

  add(accountId: number, attributes: CampaignAttributes, now: number): CampaignRecord {
    return this.insert({
      accountId,
      templateId: this.nextId + 50_000,
      createdAt: now,
      updatedAt: now,
      attributes,
      state: 'draft',
      metadata: {},
      epoch: 0,
      lastStartedAt: null,
      recipients: null,
      sentShare: 0,
      mailing: null,
      known: 0,
      queue: [],
    });
  }

  /** The names of the campaigns that can still be sent and whose templates have this merge tag. */
  using(accountId: number, mergeTag: string): string[] {
    return this.newestOf(accountId)
      .filter(
        ({ state, attributes }) => /draft|scheduled/.test(state) && attributes.mergeTags.includes(mergeTag),
      )
      .map(({ attributes }) => attributes.name);
  }
}
