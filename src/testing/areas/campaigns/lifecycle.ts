import { unprocessable } from '../../route.ts';
import type { DomainStore } from '../domains/store.ts';
import type { Kit } from '../kit.ts';
import type { CampaignRecord, EmulatorCampaignState } from './record.ts';
import { readScheduleTime } from './schedule-time.ts';

const sending: readonly EmulatorCampaignState[] = ['started', 'queued', 'paused'];

/** States only a campaign whose sending has begun can be in. */
const everStarted: readonly EmulatorCampaignState[] = [...sending, 'terminating', 'finished', 'failed'];

/** The moves a campaign can make, by the caller's action or by the clock. */
export class Lifecycle {
  readonly #kit: Kit;
  readonly #domains: DomainStore;

  constructor(kit: Kit, domains: DomainStore) {
    this.#kit = kit;
    this.#domains = domains;
  }

  start(campaign: CampaignRecord, now: number): void {
    requireState(campaign, ['draft'], 'Only draft campaigns can be started');
    this.#validate(campaign);
    this.begin(campaign, now);
  }

  schedule(campaign: CampaignRecord, datetime: unknown, now: number): void {
    requireState(campaign, ['draft'], 'Only draft campaigns can be scheduled');
    const at = readScheduleTime(datetime, now);
    this.#validate(campaign);
    this.planStart(campaign, at, now);
  }

  /** Cancel and reset: from outside they do the same. */
  unschedule(campaign: CampaignRecord, now: number): void {
    requireState(campaign, ['scheduled'], 'Campaign is not scheduled');
    this.enter(campaign, 'draft', now);
  }

  terminate(campaign: CampaignRecord, now: number): void {
    requireState(campaign, sending, 'Campaign is not being sent');
    campaign.sentShare = this.sentShare(campaign, now);
    this.enter(campaign, 'terminating', now);
    this.#later(campaign, now + this.#kit.timing.terminateMs, (at) => this.enter(campaign, 'finished', at));
  }

  /** Puts a campaign in the scheduled state; the clock starts it. */
  planStart(campaign: CampaignRecord, at: number, now: number): void {
    this.enter(campaign, 'scheduled', now, { scheduled_at: new Date(at).toISOString() });
    this.#later(campaign, at, (due) => this.begin(campaign, due));
  }

  /** Begins to send; the clock finishes it. */
  begin(campaign: CampaignRecord, now: number): void {
    this.enter(campaign, this.#kit.timing.startedState, now);
    this.#later(campaign, now + this.#sendMs(campaign), (at) => {
      campaign.sentShare = 1;
      this.enter(campaign, 'finished', at);
    });
  }

  /** Puts a campaign in a state, with what always goes with it; nothing is planned to follow. */
  enter(
    campaign: CampaignRecord,
    state: EmulatorCampaignState,
    now: number,
    metadata: Readonly<Record<string, unknown>> = {},
  ): void {
    campaign.epoch += 1;
    campaign.state = state;
    campaign.metadata = metadata;
    campaign.updatedAt = now;
    if (everStarted.includes(state)) {
      campaign.lastStartedAt ??= now;
      campaign.recipients ??= audience(campaign);
    }
  }

  /** Share of the recipients that were sent to so far. */
  sentShare(campaign: CampaignRecord, now: number): number {
    if (!sending.includes(campaign.state) || campaign.lastStartedAt === null) return campaign.sentShare;
    return Math.min(1, (now - campaign.lastStartedAt) / this.#sendMs(campaign));
  }

  #later(campaign: CampaignRecord, at: number, run: (at: number) => void): void {
    const { epoch } = campaign;
    this.#kit.clock.at(at, (due) => {
      if (campaign.epoch === epoch) run(due);
    });
  }

  #sendMs(campaign: CampaignRecord): number {
    const { deliveryMode, deliveryOptions } = campaign.attributes;
    const perHour = deliveryMode === 'gradual' ? (deliveryOptions.emails_per_hour ?? null) : null;
    if (perHour === null) return this.#kit.timing.sendMs;
    return ((campaign.recipients ?? 0) / perHour) * 3_600_000;
  }

  /** The sending validation: a body, an audience, a verified domain, billing within limits. */
  #validate(campaign: CampaignRecord): void {
    const { bodyHtml, contactListIds, contactSegmentIds, domainId } = campaign.attributes;
    const reasons: string[] = [];
    if (bodyHtml === null || bodyHtml.trim() === '') reasons.push("Template body html can't be blank");
    if (contactListIds.length + contactSegmentIds.length === 0) reasons.push("Audience can't be blank");
    const domain = this.#domains.get(domainId);
    if (domain === undefined || !this.#domains.isVerified(domain))
      reasons.push('Sending domain is not verified');
    if (!this.#kit.billing.withinLimits) reasons.push('Billing limit is exceeded');
    if (reasons.length > 0) throw unprocessable(reasons);
  }
}

/** Refuses with one sentence when the campaign is in none of the states. */
export function requireState(
  campaign: CampaignRecord,
  states: readonly EmulatorCampaignState[],
  message: string,
): void {
  if (!states.includes(campaign.state)) throw unprocessable(message);
}

/** Every list and segment id stands for a number of contacts that is always the same. */
function audience(campaign: CampaignRecord): number {
  const { contactListIds, contactSegmentIds } = campaign.attributes;
  return [...contactListIds, ...contactSegmentIds].reduce((sum, id) => sum + 100 + ((id * 37) % 900), 0);
}
