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
  readonly stream: 'transactional' | 'bulk';
}

/** An import: its contacts and its time. */
interface ImportModel {
  readonly id: number;
  readonly at: number;
  readonly emails: readonly string[];
  readonly city: string;
  readonly lists: readonly number[];
}

/** Contacts, lists, imports and suppressions, as the public reference describes them. */
export class People {
  /** By address. */
  readonly contacts = new Map<string, ContactModel>();
  readonly lists = new Map<number, string>();
  /** By id. */
  readonly fields = new Map<number, { name: string; data_type: string; merge_tag: string }>();
  /** The number of merge tags used so far. */
  tags = 0;
  /** Addresses that are not tracked, by id. */
  readonly optOuts = new Map<string, string>();
  readonly suppressions = new Map<string, SuppressionModel>();
  /** Ids of all imports. */
  readonly imported: number[] = [];
  /** Emails sent to contacts. */
  readonly sent: { readonly id: string; readonly isStopped: boolean; readonly sentAt: number }[] = [];
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

  list(id: number): string {
    const name = this.lists.get(id);
    if (name === undefined) throw new Refused(404, 'NotFoundError');
    return name;
  }

  field(id: number): { name: string; data_type: string; merge_tag: string } {
    const field = this.fields.get(id);
    if (field === undefined) throw new Refused(404, 'NotFoundError');
    return field;
  }

  optIn(id: string): void {
    if (!this.optOuts.delete(id)) throw new Refused(404, 'NotFoundError');
  }

  removeList(id: number): void {
    this.list(id);
    this.lists.delete(id);
    for (const { lists } of this.contacts.values()) lists.delete(id);
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

  isUnderWay(id: number): boolean {
    return this.#imports.some((one) => one.id === id);
  }

  /** Imports that are due are carried out, in the order of time. */
  settle(now: number): void {
    for (const { emails, city, lists } of this.#imports.filter(({ at }) => at <= now)) {
      for (const email of emails) this.write(email, '', { city, included: lists });
    }
    this.#imports = this.#imports.filter(({ at }) => at > now);
  }

  /** Subscribed contacts on any of the lists, each once. */
  audience(ids: readonly number[]): number {
    return [...this.contacts.values()].filter(
      ({ isSubscribed, lists }) => isSubscribed && ids.some((id) => lists.has(id)),
    ).length;
  }

  /** A suppression is for a domain that exists. */
  checkDomain(isKnown: boolean): void {
    if (!isKnown) throw new Refused(422, 'ValidationError', 1);
  }

  release(id: string): void {
    if (!this.suppressions.delete(id)) throw new Refused(404, 'NotFoundError');
  }

  isSuppressed(email: string, domainId: number, stream: 'transactional' | 'bulk'): boolean {
    return [...this.suppressions.values()].some(
      (one) => one.email === email && one.domainId === domainId && one.stream === stream,
    );
  }
}
