/** Contacts, their lists and their decisions. May import emails and account of the state. */
import { duration, positiveOrInfinity } from '../../../declare/kind.ts';
import { option, type Options, type Settings } from '../../../declare/option.ts';
import type { State } from '../base/state.ts';
import { emptyTable, type Row, Table } from '../base/table.ts';

/** The unpublished behavior of contacts. */
export interface EmulatorContactOptions {
  /**
   * How long an import takes from `created` to `finished`, in milliseconds. Its contacts change when it finishes.
   * @defaultValue 2000
   */
  importMs?: number;
  /**
   * How long an export takes from `created` to `finished`, in milliseconds. Its file has the contacts of that moment.
   * @defaultValue 2000
   */
  exportMs?: number;
  /**
   * How long a link to an exported file is valid, in milliseconds.
   * @defaultValue 3_600_000
   */
  fileUrlMs?: number;
  /**
   * The most contacts of an account. Creating another gets 422; an import skips and counts it.
   * @defaultValue Infinity
   */
  max?: number;
}

export type ContactSettings = Settings<EmulatorContactOptions>;

export const contactOptions: Options<EmulatorContactOptions> = {
  importMs: option(duration, 2000, 'not published'),
  exportMs: option(duration, 2000, 'not published'),
  fileUrlMs: option(duration, 3_600_000, 'not published'),
  max: option(positiveOrInfinity, Infinity, 'depends on the plan; a test that needs a limit sets one'),
};

/** A contact as the emulator stores it. Times are milliseconds on the emulator's clock. */
export interface ContactRecord extends Row<string> {
  readonly createdAt: number;
  updatedAt: number;
  email: string;
  fields: Readonly<Record<string, unknown>>;
  listIds: readonly number[];
  status: 'subscribed' | 'unsubscribed';
}

/** The fields of a contact that a caller can write. */
export type WrittenContact = Pick<ContactRecord, 'email' | 'fields' | 'listIds' | 'status'>;

/** A list of contacts. */
export interface ListRecord extends Row<number> {
  name: string;
}

/** A contact field. */
export interface FieldRecord extends Row<number> {
  readonly dataType: string;
  name: string;
  mergeTag: string;
}

const keyOf = (accountId: number, email: string) => `${accountId} ${email.toLowerCase()}`;

/** All contacts, their lists and their fields. */
export class ContactStore extends Table<ContactRecord> {
  readonly lists: Table<ListRecord>;
  readonly fields: Table<FieldRecord>;
  readonly #byEmail = new Map<string, ContactRecord>();
  readonly #byList = new Map<number, Set<ContactRecord>>();

  constructor(state: State) {
    super(state.part('contacts', emptyTable<ContactRecord>()));
    this.lists = new Table(state.part('contact lists', emptyTable<ListRecord>()));
    this.fields = new Table(state.part('contact fields', emptyTable<FieldRecord>()));
    for (const contact of this.all()) this.#index(contact);
  }

  override put(contact: ContactRecord): ContactRecord {
    this.#index(contact);
    return super.put(contact);
  }

  override remove(contact: ContactRecord): void {
    super.remove(contact);
    this.#byEmail.delete(keyOf(contact.accountId, contact.email));
    for (const id of contact.listIds) this.#byList.get(id)?.delete(contact);
  }

  write(contact: ContactRecord, written: WrittenContact, now: number): void {
    this.#byEmail.delete(keyOf(contact.accountId, contact.email));
    for (const id of contact.listIds) this.#byList.get(id)?.delete(contact);
    Object.assign(contact, written);
    contact.updatedAt = now;
    this.#index(contact);
  }

  /** The account's contact with this id or email address. */
  withIdOrEmail(accountId: number, idOrEmail: string): ContactRecord | undefined {
    return this.find(accountId, idOrEmail.toLowerCase()) ?? this.#byEmail.get(keyOf(accountId, idOrEmail));
  }

  /** Removes a list. Its contacts stay. */
  removeList(list: ListRecord): void {
    const { id } = list;
    this.lists.remove(list);
    for (const contact of this.#byList.get(id) ?? []) {
      contact.listIds = contact.listIds.filter((other) => other !== id);
    }
    this.#byList.delete(id);
  }

  /** Whether there is, or was, a list with this id. */
  everHadList(id: number): boolean {
    return id < this.lists.nextId;
  }

  /** The subscribed contacts on these lists, each once, in the order of their creation. */
  audienceOf(accountId: number, listIds: readonly number[]): readonly ContactRecord[] {
    const members = new Set(listIds.flatMap((id) => [...(this.#byList.get(id) ?? [])]));
    const isMeant = (contact: ContactRecord) => contact.status === 'subscribed' && members.has(contact);
    return members.size === 0 ? [] : this.of(accountId).filter(isMeant);
  }

  /** The number of contacts in an audience. It walks only the lists. */
  audienceSize(accountId: number, listIds: readonly number[]): number {
    let size = 0;
    for (const id of new Set(listIds))
      for (const contact of this.#byList.get(id) ?? []) {
        if (contact.accountId !== accountId || contact.status !== 'subscribed') continue;
        // A contact on several lists counts on the first of them.
        if (listIds.find((one) => contact.listIds.includes(one)) === id) size += 1;
      }
    return size;
  }

  #index(contact: ContactRecord): void {
    this.#byEmail.set(keyOf(contact.accountId, contact.email), contact);
    for (const id of contact.listIds) {
      const members = this.#byList.get(id) ?? new Set<ContactRecord>();
      this.#byList.set(id, members.add(contact));
    }
  }

  /** Changes the merge tag of a field. The contacts keep its values. */
  renameTag(field: FieldRecord, mergeTag: string): void {
    if (mergeTag === field.mergeTag) return;
    this.#rewrite(field, (values, value) => ({ ...values, [mergeTag]: value }));
    field.mergeTag = mergeTag;
  }

  /** Removes a field, and its values with it. */
  removeField(field: FieldRecord): void {
    this.fields.remove(field);
    this.#rewrite(field, (values) => values);
  }

  #rewrite(
    { accountId, mergeTag }: FieldRecord,
    change: (others: Record<string, unknown>, value: unknown) => Record<string, unknown>,
  ): void {
    for (const contact of this.of(accountId)) {
      if (!Object.hasOwn(contact.fields, mergeTag)) continue;
      const { [mergeTag]: value, ...others } = contact.fields;
      contact.fields = change(others, value);
    }
  }
}
