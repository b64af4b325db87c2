import type { TemplateFolder } from '../../templates/types.ts';
import type { Answers } from '../answers.ts';
import type { Arrivals } from '../arrivals.ts';
import type { VirtualClock } from '../clock.ts';
import type { ReaderLinks } from '../reader/links.ts';
import type { State } from '../state.ts';
import type { Recorder } from '../report/recorder.ts';
import type { SignedStorage } from '../storage.ts';
import type { Streams } from '../streams.ts';
import type { Tokens } from '../tokens.ts';
import type { EmulatorWindowKind } from '../windows.ts';
import type { AccessStore, AccountNames, AccountSettings } from './accounts/store.ts';
import type { Lifecycle } from './campaigns/lifecycle.ts';
import type { CampaignSettings, CampaignStore } from './campaigns/store.ts';
import type { ContactJobs } from './contacts/jobs.ts';
import type { ContactSettings, ContactStore } from './contacts/store.ts';
import type { Courses } from './email-logs/course.ts';
import type { LogSettings, LogStore } from './email-logs/store.ts';
import type { InboundSettings, InboundStore } from './inbound/store.ts';
import type { InboxStore, SandboxSettings } from './sandbox/store.ts';
import type { DomainSettings, DomainStore } from './sending-domains/store.ts';
import type { InboxLimiter } from './sending/inbox-limiter.ts';
import type { Arrival, Outbox, SendingSettings } from './sending/outbox.ts';
import type { Readers } from './sending/readers.ts';
import type { Sums } from './stats/store.ts';
import type { SuppressionSettings, SuppressionStore } from './suppressions/store.ts';
import type { TemplateStore } from './templates/store.ts';
import type { OptOutStore } from './tracking-opt-outs/store.ts';
import type { DeliverPost, Posts } from './webhooks/posts.ts';
import type { EventSources } from './webhooks/sources.ts';
import type { WebhookSettings, WebhookStore } from './webhooks/store.ts';

/** The options with their defaults, by area. */
export interface AreaSettings {
  readonly campaigns: CampaignSettings;
  readonly sending: SendingSettings;
  readonly logs: LogSettings;
  readonly domains: DomainSettings;
  readonly contacts: ContactSettings;
  readonly suppressions: SuppressionSettings;
  readonly accounts: AccountSettings;
  readonly webhooks: WebhookSettings;
  readonly inbound: InboundSettings;
  readonly sandbox: SandboxSettings;
  readonly templates: readonly TemplateFolder[];
}

/** The stores of the areas. Each area creates its own, and reads the others. */
export interface AreaState {
  readonly domains: DomainStore;
  readonly contacts: ContactStore;
  readonly contactJobs: ContactJobs;
  readonly campaigns: CampaignStore;
  readonly lifecycle: Lifecycle;
  readonly templates: TemplateStore;
  readonly inboxes: InboxStore;
  readonly courses: Courses;
  readonly sums: Sums;
  readonly logs: LogStore;
  readonly outbox: Outbox;
  readonly inboxLimiter: InboxLimiter;
  readonly readers: Readers;
  readonly suppressions: SuppressionStore;
  readonly optOuts: OptOutStore;
  readonly accesses: AccessStore;
  readonly accountNames: AccountNames;
  readonly webhooks: WebhookStore;
  readonly posts: Posts;
  readonly sources: EventSources;
  readonly inbound: InboundStore;
  /** Whether billing allows campaigns, for the sending validation. */
  readonly billing: { withinLimits: boolean };
}

/** The service: the shared parts, and the stores of the areas. A reset replaces it. */
export interface World extends AreaState {
  /** The data of a snapshot. */
  readonly state: State;
  readonly clock: VirtualClock;
  readonly streams: Streams;
  readonly settings: AreaSettings;
  readonly window: EmulatorWindowKind;
  readonly answers: Answers;
  readonly tokens: Tokens;
  readonly storage: SignedStorage;
  /** The links for the readers of emails. */
  readonly readerLinks: ReaderLinks;
  readonly deliver: DeliverPost;
  /** The waiters for emails. */
  readonly arrivals: Arrivals<Arrival>;
  /** The records for reports. A reset does not empty them. */
  readonly recorder: Recorder;
  /** The account that the emulator's own token belongs to. */
  readonly accountId: number;
  /** The organization that this account belongs to. */
  readonly organizationId: number;
  /** The emulator's own token. It also protects the emails, as the key of signed links. */
  readonly secret: string;
}
