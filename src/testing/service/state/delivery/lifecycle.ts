import { AlarmClock } from '../base/alarm-clock.ts';
import type { VirtualClock } from '../base/clock.ts';
import { iso } from '../../../encoding/iso.ts';
import { unprocessable } from '../../wire/reply.ts';
import type { ContactStore } from '../audience/contacts.ts';
import { type Delivery, sendOfCampaign } from './deliver.ts';
import { withFooter } from '../emails/mail.ts';
import { Mailing } from './mailing.ts';
import type { CampaignRecord, CampaignSettings, CampaignStore, EmulatorCampaignState } from './campaigns.ts';

const SENDING: readonly EmulatorCampaignState[] = ['started', 'queued', 'paused'];

/** The states of a campaign after its start. */
const EVER_STARTED: readonly EmulatorCampaignState[] = [...SENDING, 'terminating', 'finished', 'failed'];

/** The parts that the lifecycle of a campaign needs. */
export interface LifecycleParts extends Delivery {
  readonly clock: VirtualClock;
  readonly settings: { readonly campaigns: CampaignSettings };
  readonly campaigns: CampaignStore;
  readonly contacts: ContactStore;
  readonly billing: { readonly withinLimits: boolean };
}

/** A planned transition of a campaign. An earlier change of the campaign cancels it. */
interface Planned {
  readonly id: number;
  readonly epoch: number;
  readonly then: 'begin' | 'finish' | 'stop';
}

/** The turn of a contact to get the email of a campaign. A change of the campaign cancels it. */
interface Turn {
  readonly id: number;
  readonly epoch: number;
  readonly turn: number;
}

/** The kinds of the tasks on the clock. */
const TRANSITION = 'campaign';
const EMAIL = 'campaign email';

/** The transitions of a campaign, through an action of the caller or through the clock. */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  readonly #alarm: AlarmClock;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
    this.#alarm = new AlarmClock(parts.clock, TRANSITION, EMAIL);
    parts.clock.on(TRANSITION, (what: Planned, at) => this.#happen(what, at));
    parts.clock.on(EMAIL, (turn: Turn) => this.#take(turn));
  }

  /** Starts the timer for the planned tasks of the state, so that a mailbox gets an email without a request. */
  watch(): void {
    this.#alarm.set();
  }

  /** Stops the timer. */
  stop(): void {
    this.#alarm.stop();
  }

  start(campaign: CampaignRecord, now: number): void {
    requireTransition(campaign, ['draft'], 'started');
    this.#validate(campaign);
    this.begin(campaign, now);
  }

  schedule(campaign: CampaignRecord, datetime: unknown, now: number): void {
    requireTransition(campaign, ['draft'], 'scheduled');
    const at = readScheduleTime(datetime, now);
    this.#validate(campaign);
    this.planStart(campaign, at, now);
  }

  /** Cancels or resets a campaign. Both actions have the same visible effect. */
  unschedule(campaign: CampaignRecord, now: number): void {
    requireTransition(campaign, ['scheduled'], 'draft');
    this.setState(campaign, 'draft', now);
  }

  terminate(campaign: CampaignRecord, now: number): void {
    requireTransition(campaign, SENDING, 'terminating');
    campaign.sentShare = this.sentShare(campaign, now);
    this.setState(campaign, 'terminating', now);
    this.#later(campaign, now + this.#timing.terminateMs, 'stop');
  }

  /** Schedules a campaign. The clock starts it. */
  planStart(campaign: CampaignRecord, at: number, now: number): void {
    this.setState(campaign, 'scheduled', now, { scheduled_at: iso(at) });
    this.#later(campaign, at, 'begin');
  }

  /** Starts to send a campaign, at once to the first contact. The clock sends to the others, and finishes it. */
  begin(campaign: CampaignRecord, now: number): void {
    this.beginWithoutEmails(campaign, now);
    const { id, epoch, accountId, attributes } = campaign;
    const audience = this.#parts.contacts.audienceOf(accountId, attributes.contactListIds);
    if (audience.length === 0) return;
    campaign.known = audience.length;
    campaign.queue = audience.map((contact) => contact.id);
    campaign.mailing = this.#mailingOf(campaign, this.#sendMs(campaign) / audience.length, now);
    this.#take({ id, epoch, turn: 0 });
  }

  /** Starts a campaign of the initial data, which has figures but no emails. */
  beginWithoutEmails(campaign: CampaignRecord, now: number): void {
    this.setState(campaign, this.#timing.startedState, now);
    this.#later(campaign, now + this.#sendMs(campaign), 'finish');
  }

  #mailingOf(
    { id, accountId, attributes, templateId }: CampaignRecord,
    everyMs: number,
    now: number,
  ): Mailing {
    const { outbox, streams, domains } = this.#parts;
    const { name, domainId, fromLocalPart, fromDisplayName, replyTo, subject, bodyHtml, bodyText } =
      attributes;
    const { name: domainName = '', settings } = domains.anywhere(domainId) ?? {};
    const bodies = { html: bodyHtml, text: bodyText };
    const { local_part: local, domain = domainName, display_name: display = null } = replyTo;
    return new Mailing({
      base: streams.of('messages').uuid(),
      campaign: name === '' ? String(id) : name,
      accountId,
      domainId,
      domainName,
      templateId,
      groupId: outbox.nextGroupId(),
      startedAt: now,
      everyMs,
      from: { email: `${fromLocalPart}@${domainName}`, name: fromDisplayName },
      replyTo: local === undefined ? null : { email: `${local}@${domain}`, name: display },
      parts: { subject, ...(settings?.auto_unsubscribe_link_enabled ? withFooter(bodies) : bodies) },
    });
  }

  /** Sends to the contact whose turn it is, unless it has unsubscribed or is deleted, and plans the next turn. */
  #take({ id, epoch, turn }: Turn): void {
    const campaign = this.#parts.campaigns.anywhere(id);
    if (campaign?.epoch !== epoch || campaign.mailing === null) return;
    const { mailing, queue, accountId } = campaign;
    const contact = this.#parts.contacts.find(accountId, queue[turn] ?? '');
    if (contact?.status === 'subscribed') sendOfCampaign(this.#parts, mailing, turn, contact);
    const next = turn + 1;
    if (next === queue.length) campaign.queue = [];
    else this.#plan(mailing.sentAt(next), EMAIL, { id, epoch, turn: next } satisfies Turn);
  }

  #plan(at: number, kind: string, task: Planned | Turn): void {
    this.#parts.clock.plan(at, kind, task);
    this.#alarm.set();
  }

  /** Puts a campaign into a state and updates the fields that depend on it. No later transition is planned. */
  setState(
    campaign: CampaignRecord,
    state: EmulatorCampaignState,
    now: number,
    metadata: Readonly<Record<string, unknown>> = {},
  ): void {
    campaign.epoch += 1;
    campaign.state = state;
    campaign.metadata = metadata;
    campaign.queue = [];
    campaign.updatedAt = now;
    if (EVER_STARTED.includes(state)) {
      campaign.lastStartedAt ??= now;
      campaign.recipients ??= audience(campaign, this.#parts.contacts);
    }
  }

  /** The share of the unknown recipients that have been sent to so far. */
  sentShare(campaign: CampaignRecord, now: number): number {
    if (!SENDING.includes(campaign.state) || campaign.lastStartedAt === null) return campaign.sentShare;
    const elapsedMs = now - campaign.lastStartedAt;
    const sendMs = this.#sendMs(campaign);
    return elapsedMs >= sendMs ? 1 : elapsedMs / sendMs;
  }

  get #timing(): CampaignSettings {
    return this.#parts.settings.campaigns;
  }

  #later({ id, epoch }: CampaignRecord, at: number, then: Planned['then']): void {
    this.#plan(at, TRANSITION, { id, epoch, then } satisfies Planned);
  }

  #happen({ id, epoch, then }: Planned, at: number): void {
    const campaign = this.#parts.campaigns.anywhere(id);
    if (campaign?.epoch !== epoch) return;
    if (then === 'begin') {
      this.begin(campaign, at);
      return;
    }
    if (then === 'finish' && campaign.queue.length > 0) {
      // With `sendMs: 0`, all turns are at this time: the last one comes first.
      this.#later(campaign, at, then);
      return;
    }
    if (then === 'finish') campaign.sentShare = 1;
    this.setState(campaign, 'finished', at);
  }

  #sendMs(campaign: CampaignRecord): number {
    const { deliveryMode, deliveryOptions } = campaign.attributes;
    const perHour = deliveryMode === 'gradual' ? (deliveryOptions.emails_per_hour ?? null) : null;
    if (perHour === null) return this.#timing.sendMs;
    return ((campaign.recipients ?? 0) / perHour) * 3_600_000;
  }

  /** The sending validation: a body, an audience, a verified domain, and billing within limits. */
  #validate(campaign: CampaignRecord): void {
    const { bodyHtml, contactListIds, contactSegmentIds, domainId } = campaign.attributes;
    const reasons: string[] = [];
    if (bodyHtml === null || bodyHtml.trim() === '') reasons.push("Campaign design can't be blank");
    if (contactListIds.length + contactSegmentIds.length === 0) reasons.push("Audience can't be blank");
    const { domains, billing } = this.#parts;
    const domain = domains.anywhere(domainId);
    if (domain === undefined || !domains.isVerified(domain)) reasons.push('Sending domain is not verified');
    if (!billing.withinLimits) reasons.push('Billing limit is exceeded');
    if (reasons.length > 0) throw unprocessable(reasons);
  }
}

/** Refuses with one sentence unless the campaign is in one of the states. */
export function requireState(
  campaign: CampaignRecord,
  states: readonly EmulatorCampaignState[],
  message: string,
): void {
  if (!states.includes(campaign.state)) throw unprocessable(message);
}

/** Refuses a transition, in the service's words, unless the campaign is in one of the states. */
function requireTransition(
  campaign: CampaignRecord,
  states: readonly EmulatorCampaignState[],
  to: EmulatorCampaignState,
): void {
  requireState(campaign, states, `Cannot transition from '${campaign.state}' to '${to}'`);
}

/**
 * The number of recipients: the subscribed contacts on the lists, each counted once. Each id of a segment, and of a list
 * that was never created, stands for a fixed number of contacts.
 */
function audience({ accountId, attributes }: CampaignRecord, contacts: ContactStore): number {
  const { contactListIds, contactSegmentIds } = attributes;
  const unknown = contactListIds.filter((id) => !contacts.everHadList(id));
  const others = [...unknown, ...contactSegmentIds].reduce((sum, id) => sum + 100 + ((id * 37) % 900), 0);
  return contacts.audienceSize(accountId, contactListIds) + others;
}

const ISO_8601 = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Reads the start time of a campaign: ISO 8601 (UTC without an offset), in the future, at most a calendar month ahead. Uses
 * `Date` instead of date-fns: `parseISO` accepts an offset of 25 hours and refuses a lower-case `t`, and `addMonths` needs
 * a second package for UTC.
 */
function readScheduleTime(input: unknown, now: number): number {
  const time = typeof input === 'string' ? parse(input) : Number.NaN;
  if (Number.isNaN(time)) throw unprocessable('datetime is invalid');
  if (time <= now) throw unprocessable('datetime must be in the future');
  if (time > monthAfter(now)) throw unprocessable('datetime must be within 1 month from now');
  return time;
}

function parse(value: string): number {
  const parts = ISO_8601.exec(value);
  if (parts === null) return Number.NaN;
  const [, year, month, day, offset] = parts;
  // Refuses the 31st of a shorter month, which Date would turn into a day of the next month.
  if (Number(day) > daysIn(Number(year), Number(month) - 1)) return Number.NaN;
  const zone = offset === undefined ? 'Z' : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  return Date.parse(offset === undefined ? value + zone : value.slice(0, -offset.length) + zone);
}

/** The same day and time of the next month, or its last day if it has no such day. */
function monthAfter(now: number): number {
  const date = new Date(now);
  const last = daysIn(date.getUTCFullYear(), date.getUTCMonth() + 1);
  date.setUTCMonth(date.getUTCMonth() + 1, Math.min(date.getUTCDate(), last));
  return date.getTime();
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}
