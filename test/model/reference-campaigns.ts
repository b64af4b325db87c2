import type { EmailPlatform } from 'email-platform';
import { Refused } from './verdict.ts';

/** How long campaigns take to send and to end. Not published, so these are the emulator's options. */
export const TIMING = { sendMs: 60_000, terminateMs: 5_000 } as const;

/** The bounds of a calendar month. Times between them are not tested. */
export const SHORTEST_MONTH_MS = 28 * 86_400_000;
export const LONGEST_MONTH_MS = 31 * 86_400_000;

export interface CampaignFields {
  readonly name: string;
  readonly domain_id: number;
  readonly from_local_part: string;
  readonly from_display_name: string | null;
  readonly contact_list_ids: readonly number[];
  readonly contact_segment_ids: readonly number[];
}

export interface TemplateFields {
  readonly subject: string;
  readonly body_html: string | null;
  readonly body_text: string | null;
  readonly merge_tags: readonly string[];
}

/** The changes of an update: in the template, a field left out or null keeps its value. */
export type CampaignChanges = Partial<CampaignFields> & {
  readonly template_attributes?: { readonly [K in keyof TemplateFields]?: TemplateFields[K] | null };
};

/** A campaign, according to the tables of the specification and the public reference. */
export interface CampaignModel {
  readonly id: number;
  fields: CampaignFields;
  template: TemplateFields;
  state: EmailPlatform.KnownCampaignState;
  scheduledAt: number | undefined;
  /** The next transition by the clock. */
  next: { readonly at: number; readonly state: 'started' | 'finished' } | undefined;
  startedAt: number | null;
  isRemoved: boolean;
  isTerminated: boolean;
  /** Whether it was put into its state without a request; its other fields are then not checked. */
  isMoved: boolean;
}

/** The part of the model that campaigns depend on. */
export interface Surroundings {
  readonly now: number;
  readonly isBillingWithinLimits: boolean;
  readonly isVerified: (domainId: number) => boolean;
}

/** Campaigns according to "States and transitions", in the order of their creation. */
export class Campaigns {
  readonly all: CampaignModel[] = [];
  readonly #world: Surroundings;

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** (none) | POST create | Valid request | draft. */
  checkCreate({ domain_id }: CampaignFields): void {
    this.#requireDomain(domain_id);
  }

  created(id: number, fields: CampaignFields, template: TemplateFields): CampaignModel {
    const campaign: CampaignModel = {
      id,
      fields,
      template,
      state: 'draft',
      scheduledAt: undefined,
      next: undefined,
      startedAt: null,
      isRemoved: false,
      isTerminated: false,
      isMoved: false,
    };
    this.all.push(campaign);
    return campaign;
  }

  get(id: number): CampaignModel {
    const campaign = this.all.find((one) => one.id === id);
    if (campaign === undefined || campaign.isRemoved) throw new Refused(404, 'NotFoundError');
    return campaign;
  }

  /** Newest first. */
  list(search: string): CampaignModel[] {
    const isFound = ({ isRemoved, fields }: CampaignModel) =>
      !isRemoved && fields.name.toLowerCase().includes(search.toLowerCase());
    return this.all.filter(isFound).reverse();
  }

  /** draft | PATCH update | Valid request | draft: only provided attributes change. */
  update(id: number, { template_attributes = {}, ...fields }: CampaignChanges): CampaignModel {
    const campaign = this.#draft(id);
    if (fields.domain_id !== undefined) this.#requireDomain(fields.domain_id);
    campaign.fields = { ...campaign.fields, ...fields };
    const given = Object.entries(template_attributes).filter(([, value]) => value !== null);
    campaign.template = { ...campaign.template, ...Object.fromEntries(given) };
    return campaign;
  }

  /** draft | DELETE | removed. */
  delete(id: number): void {
    this.#draft(id).isRemoved = true;
  }

  /** draft | POST start | Sending validation passes | sending begins. */
  start(id: number): CampaignModel {
    const campaign = this.#draft(id);
    this.#validate(campaign);
    this.#begin(campaign, this.#world.now);
    return campaign;
  }

  /** draft | POST schedule | in the future and within 1 month, sending validation passes | scheduled. */
  schedule(id: number, at: number): CampaignModel {
    const campaign = this.#draft(id);
    const ahead = at - this.#world.now;
    if (ahead <= 0 || ahead > LONGEST_MONTH_MS) throw new Refused(422, 'LifecycleError');
    this.#validate(campaign);
    campaign.state = 'scheduled';
    campaign.scheduledAt = at;
    campaign.next = { at, state: 'started' };
    return campaign;
  }

  /** scheduled | cancel action or reset action | draft. */
  unschedule(id: number): CampaignModel {
    const campaign = this.#in(id, ['scheduled']);
    campaign.state = 'draft';
    campaign.next = undefined;
    return campaign;
  }

  /** From started, queued and paused, according to the public reference. */
  terminate(id: number): CampaignModel {
    const campaign = this.#in(id, ['started', 'queued', 'paused']);
    campaign.state = 'terminating';
    campaign.isTerminated = true;
    campaign.next = { at: this.#world.now + TIMING.terminateMs, state: 'finished' };
    return campaign;
  }

  /** Puts a campaign into a state without a request. */
  move(campaign: CampaignModel, state: EmailPlatform.KnownCampaignState): void {
    Object.assign(campaign, { state, isMoved: true, next: undefined, scheduledAt: undefined });
  }

  /** Makes the transitions that are due. */
  settle(): void {
    for (const campaign of this.all) {
      while (campaign.next && campaign.next.at <= this.#world.now) {
        const { at, state } = campaign.next;
        campaign.next = undefined;
        if (state === 'started') this.#begin(campaign, at);
        else campaign.state = state;
      }
    }
  }

  #begin(campaign: CampaignModel, at: number): void {
    campaign.state = 'started';
    campaign.startedAt = at;
    campaign.next = { at: at + TIMING.sendMs, state: 'finished' };
  }

  /** any state other than draft | update, delete, start or schedule | unchanged, 422. */
  #draft(id: number): CampaignModel {
    const campaign = this.get(id);
    if (campaign.state !== 'draft') throw new Refused(422);
    return campaign;
  }

  #in(id: number, states: readonly EmailPlatform.KnownCampaignState[]): CampaignModel {
    const campaign = this.get(id);
    if (!states.includes(campaign.state)) throw new Refused(422, 'LifecycleError', 1);
    return campaign;
  }

  #requireDomain(id: number): void {
    if (!this.#world.isVerified(id)) throw new Refused(422, 'ValidationError', 1);
  }

  /** A template with a body_html design, an audience, a verified sending domain, and billing within limits. */
  #validate({ fields, template }: CampaignModel): void {
    const missing = [
      template.body_html === null || template.body_html === '',
      fields.contact_list_ids.length + fields.contact_segment_ids.length === 0,
      !this.#world.isVerified(fields.domain_id),
      !this.#world.isBillingWithinLimits,
    ].filter(Boolean).length;
    if (missing > 0) throw new Refused(422, 'LifecycleError', missing);
  }
}
