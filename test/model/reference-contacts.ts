import { TIMING } from './reference-campaigns.ts';
import { Refused } from './verdict.ts';

export interface ContactModel {
  readonly id: string;
  readonly email: string;
  fields: Record<string, string | number>;
  lists: Set<number>;
  isSubscribed: boolean;
}

export interface SuppressionModel {
  readonly id: string;
  readonly email: string;
  readonly domainId: number;
  readonly stream: Stream;
  readonly isUnsubscription: boolean;
}

type Stream = 'transactional' | 'bulk';

/** An email to a contact. */
export interface SentModel {
  /** The id; undefined for an email of a campaign, whose id no response has. */
  readonly id: string | undefined;
  readonly email: string;
  readonly domainId: number;
  readonly stream: Stream;
  readonly subject: string;
  readonly sentAt: number;
  /** Whether the address was suppressed. */
  readonly isStopped: boolean;
  /** Whether its opens and clicks are tracked. */
  readonly isTracked: boolean;
  isUnsubscribed: boolean;
}

/** A campaign that was started: the contacts get its email one after another. */
export interface StartedModel {
  readonly id: number;
  readonly domainId: number;
  readonly startedAt: number;
  readonly audience: readonly ContactModel[];
  readonly sent: SentModel[];
  /** The number of contacts whose turn is over. */
  turns: number;
  isTerminated: boolean;
}

/** The time of the next turn of a campaign. */
const turnOf = ({ startedAt, turns, audience }: StartedModel): number =>
  startedAt + Math.floor((turns * TIMING.sendMs) / audience.length);

/** An import: its contacts and its time. */
interface ImportModel {
  readonly id: number;
  readonly at: number;
  readonly emails: readonly string[];
  readonly city: string;
  readonly lists: readonly number[];
}

/** Whom a campaign reaches, and whom nothing does, as the public reference describes it. */
export class People {
  /** By address. */
  readonly contacts = new Map<string, ContactModel>();
  readonly lists = new Map<number, string>();
  /** Addresses that are not tracked, by id. */
  readonly optOuts = new Map<string, string>();
  readonly suppressions = new Map<string, SuppressionModel>();
  /** Emails to contacts, in the order of time. */
  readonly sent: SentModel[] = [];
  readonly started: StartedModel[] = [];
  #imports: ImportModel[] = [];

  contact(email: string): ContactModel {
    const found = this.contacts.get(email);
    if (found === undefined) throw new Refused(404, 'NotFoundError');
    return found;
  }

  /** A new contact has an address that no other has. */
  checkNew(email: string): void {
    if (this.contacts.has(email)) throw new Refused(422, 'ValidationError', 1);
  }

  optIn(id: string): void {
    if (!this.optOuts.delete(id)) throw new Refused(404, 'NotFoundError');
  }

  /** Creates or changes a contact; says which. */
  write(
    email: string,
    id: string,
    change: {
      city?: string;
      included?: readonly number[];
      excluded?: readonly number[];
      unsubscribed?: boolean;
    },
  ): 'created' | 'updated' {
    const before = this.contacts.get(email);
    const contact = before ?? { id, email, fields: {}, lists: new Set(), isSubscribed: true };
    if (change.city !== undefined) contact.fields = { ...contact.fields, city: change.city };
    for (const list of change.included ?? []) if (this.lists.has(list)) contact.lists.add(list);
    for (const list of change.excluded ?? []) contact.lists.delete(list);
    if (change.unsubscribed !== undefined) contact.isSubscribed = !change.unsubscribed;
    this.contacts.set(email, contact);
    return before === undefined ? 'created' : 'updated';
  }

  startImport(given: ImportModel): void {
    this.#imports.push(given);
  }

  /** Carries out the imports and sends the emails of campaigns that are due, in the order of time. */
  settle(now: number): void {
    for (;;) {
      const next = this.#imports.toSorted((a, b) => a.at - b.at)[0];
      const campaign = this.started
        .filter(({ turns, audience, isTerminated }) => turns < audience.length && !isTerminated)
        .toSorted((a, b) => turnOf(a) - turnOf(b))[0];
      const importAt = next?.at ?? Infinity;
      const turnAt = campaign === undefined ? Infinity : turnOf(campaign);
      if (Math.min(importAt, turnAt) > now) return;
      if (next !== undefined && importAt <= turnAt) {
        for (const email of next.emails) this.write(email, '', { city: next.city, included: next.lists });
        this.#imports = this.#imports.filter((one) => one !== next);
      } else if (campaign !== undefined) this.#take(campaign);
    }
  }

  /** Sends to the contact whose turn it is, unless it has unsubscribed or was deleted. */
  #take(campaign: StartedModel): void {
    const contact = campaign.audience[campaign.turns];
    const sentAt = turnOf(campaign);
    campaign.turns += 1;
    if (contact?.isSubscribed !== true || this.contacts.get(contact.email) !== contact) return;
    const { email } = contact;
    const subject = `For ${contact.fields.city ?? ''}`;
    const to = { email, domainId: campaign.domainId, stream: 'bulk' as const };
    campaign.sent.push(this.send({ ...to, id: undefined, subject, sentAt }));
  }

  send(given: Omit<SentModel, 'isStopped' | 'isTracked' | 'isUnsubscribed'>): SentModel {
    const isStopped = this.isSuppressed(given.email, given.domainId, given.stream);
    const isTracked = ![...this.optOuts.values()].includes(given.email);
    const sent = { ...given, isStopped, isTracked, isUnsubscribed: false };
    this.sent.push(sent);
    return sent;
  }

  start(id: number, domainId: number, lists: readonly number[], startedAt: number): void {
    const audience = this.audience(lists);
    this.started.push({ id, domainId, startedAt, audience, sent: [], turns: 0, isTerminated: false });
    this.settle(startedAt);
  }

  terminate(campaign: StartedModel, now: number): void {
    if (campaign.isTerminated || now >= campaign.startedAt + TIMING.sendMs)
      throw new Refused(422, 'LifecycleError', 1);
    campaign.isTerminated = true;
  }

  /** What the reader of an email decides. Returns whether a suppression follows. */
  unsubscribe(sent: SentModel): boolean {
    const contact = this.contacts.get(sent.email);
    if (contact !== undefined) contact.isSubscribed = false;
    const isKnown = this.#suppressionsOf(sent.email, sent.domainId, sent.stream).some(
      (one) => one.isUnsubscription,
    );
    if (!isKnown) sent.isUnsubscribed = true;
    return !isKnown;
  }

  /** Subscribed contacts on any of the lists, each once. */
  audience(ids: readonly number[]): ContactModel[] {
    return [...this.contacts.values()].filter(
      ({ isSubscribed, lists }) => isSubscribed && ids.some((id) => lists.has(id)),
    );
  }

  /** A suppression is for a domain that exists. */
  checkDomain(isKnown: boolean): void {
    if (!isKnown) throw new Refused(422, 'ValidationError', 1);
  }

  release(id: string): void {
    if (!this.suppressions.delete(id)) throw new Refused(404, 'NotFoundError');
  }

  isSuppressed(email: string, domainId: number, stream: Stream): boolean {
    return this.#suppressionsOf(email, domainId, stream).length > 0;
  }

  #suppressionsOf(email: string, domainId: number, stream: Stream): SuppressionModel[] {
    return [...this.suppressions.values()].filter(
      (one) => one.email === email && one.domainId === domainId && one.stream === stream,
    );
  }
}
