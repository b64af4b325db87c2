/** The whole state. May import its rooms; it knows no route, no engine, no door and no report. */
import type { TemplateFolder } from '../../../entries/templates/types.ts';
import type { Answers } from './account/answers.ts';
import type { Arrivals } from '../../common/waiters.ts';
import type { VirtualClock } from './base/clock.ts';
import type { ReaderLinks } from './emails/reader-links.ts';
import type { State } from './base/state.ts';
import type { Table } from './base/table.ts';
import type { SignedStorage } from './account/storage.ts';
import type { Streams } from './base/streams.ts';
import type { Tokens } from './account/tokens.ts';
import type { EmulatorWindowKind } from './account/windows.ts';
import type { LimitRecorder } from './account/limiter.ts';
import type { AccessRecord, AccountNames, AccountSettings } from './account/accounts.ts';
import type { Lifecycle } from './delivery/lifecycle.ts';
import type { CampaignSettings, CampaignStore } from './delivery/campaigns.ts';
import type { ContactJobs } from './audience/contact-jobs.ts';
import type { ContactSettings, ContactStore } from './audience/contacts.ts';
import type { Courses } from './emails/course.ts';
import type { LogSettings, LogStore } from './emails/email-log.ts';
import type { InboundSettings, InboundStore } from './inboxes/inbound.ts';
import type { InboxStore, SandboxSettings } from './inboxes/sandbox.ts';
import type { DomainSettings, DomainStore } from './account/domains.ts';
import type { InboxLimiter } from './inboxes/inbox-limiter.ts';
import type { Arrival, MailRecorder, Outbox, SendingSettings } from './emails/outbox.ts';
import type { Readers } from './delivery/readers.ts';
import type { Sums } from './emails/sums.ts';
import type { SuppressionSettings, SuppressionStore } from './audience/suppressions.ts';
import type { TemplateStore } from './account/templates.ts';
import type { OptOutStore } from './audience/opt-outs.ts';
import type { DeliverPost, PostRecorder, Posts } from './posts/posts.ts';
import type { EventSources } from './posts/event-sources.ts';
import type { WebhookSettings, WebhookStore } from './posts/webhooks.ts';

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
  /** The accesses of all people. */
  readonly accesses: Table<AccessRecord>;
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
  /** The templates that replaced those of the option. A reset keeps them. */
  readonly folders: { replaced?: readonly TemplateFolder[] };
  /** The records for reports. A reset does not empty them. */
  readonly recorder: MailRecorder & PostRecorder & LimitRecorder;
  /** The account that the emulator's own token belongs to. */
  readonly accountId: number;
  /** The organization that this account belongs to. */
  readonly organizationId: number;
  /** The emulator's own token. It also protects the emails, as the key of signed links. */
  readonly secret: string;
}
