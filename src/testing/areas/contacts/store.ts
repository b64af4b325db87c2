/** A contact as the emulator stores it. Times are milliseconds on the emulator's clock. */
export interface ContactRecord {
  readonly id: string;
  readonly accountId: number;
  readonly createdAt: number;
  updatedAt: number;
  email: string;
  fields: Readonly<Record<string, unknown>>;
  listIds: readonly number[];
  status: 'subscribed' | 'unsubscribed';
}

/** What a caller can write of a contact. */
export type WrittenContact = Pick<ContactRecord, 'email' | 'fields' | 'listIds' | 'status'>;

/** A list of contacts. */
export interface ListRecord {
  readonly id: number;
  readonly accountId: number;
  name: string;
}

/** A contact field. */
export interface FieldRecord {
  readonly id: number;
  readonly accountId: number;
  readonly dataType: string;
  name: string;
  mergeTag: string;
}

const keyOf = (accountId: number, email: string) => `${accountId} ${email.toLowerCase()}`;

/** All contacts, lists and contact fields. */
export class ContactStore {
  readonly #byId = new Map<string, ContactRecord>();
  readonly #byEmail = new Map<string, ContactRecord>();
  readonly #counts = new Map<number, number>();
  readonly #lists = new Map<number, ListRecord>();
  readonly #fields = new Map<number, FieldRecord>();
  #nextListId = 1;
  #nextFieldId = 1;

  add(contact: ContactRecord): ContactRecord {
    this.#byId.set(contact.id, contact);
    this.#byEmail.set(keyOf(contact.accountId, contact.email), contact);
    this.#counts.set(contact.accountId, this.count(contact.accountId) + 1);
    return contact;
  }

  write(contact: ContactRecord, written: WrittenContact, now: number): void {
    this.#byEmail.delete(keyOf(contact.accountId, contact.email));
    Object.assign(contact, written);
    contact.updatedAt = now;
    this.#byEmail.set(keyOf(contact.accountId, contact.email), contact);
  }

  /** The account's contact with this id or email address. */
  find(accountId: number, idOrEmail: string): ContactRecord | undefined {
    const byId = this.#byId.get(idOrEmail.toLowerCase());
    return byId?.accountId === accountId ? byId : this.#byEmail.get(keyOf(accountId, idOrEmail));
  }

  /** The account's contacts, oldest first. */
  of(accountId: number): ContactRecord[] {
    return [...this.#byId.values()].filter((contact) => contact.accountId === accountId);
  }

  count(accountId: number): number {
    return this.#counts.get(accountId) ?? 0;
  }

  remove(contact: ContactRecord): void {
    this.#byId.delete(contact.id);
    this.#byEmail.delete(keyOf(contact.accountId, contact.email));
    this.#counts.set(contact.accountId, this.count(contact.accountId) - 1);
  }

  addList(accountId: number, name: string): ListRecord {
    const list: ListRecord = { id: this.#nextListId, accountId, name };
    this.#nextListId += 1;
    this.#lists.set(list.id, list);
    return list;
  }

  findList(accountId: number, id: number): ListRecord | undefined {
    const list = this.#lists.get(id);
    return list?.accountId === accountId ? list : undefined;
  }

  lists(accountId: number): ListRecord[] {
    return [...this.#lists.values()].filter((list) => list.accountId === accountId);
  }

  /** Removes a list. Its contacts stay. */
  removeList({ id, accountId }: ListRecord): void {
    this.#lists.delete(id);
    for (const contact of this.of(accountId)) {
      if (contact.listIds.includes(id)) contact.listIds = contact.listIds.filter((other) => other !== id);
    }
  }

  /** Whether there is, or was, a list with this id. */
  everHadList(id: number): boolean {
    return id < this.#nextListId;
  }

  /** How many subscribed contacts are on any of these lists. Nobody counts twice. */
  audienceOf(accountId: number, listIds: readonly number[]): number {
    const wanted = new Set(listIds);
    const isMeant = ({ status, listIds: own }: ContactRecord) =>
      status === 'subscribed' && own.some((id) => wanted.has(id));
    return wanted.size === 0 ? 0 : this.of(accountId).filter(isMeant).length;
  }

  addField(field: Omit<FieldRecord, 'id'>): FieldRecord {
    const record: FieldRecord = { ...field, id: this.#nextFieldId };
    this.#nextFieldId += 1;
    this.#fields.set(record.id, record);
    return record;
  }

  findField(accountId: number, id: number): FieldRecord | undefined {
    const field = this.#fields.get(id);
    return field?.accountId === accountId ? field : undefined;
  }

  fields(accountId: number): FieldRecord[] {
    return [...this.#fields.values()].filter((field) => field.accountId === accountId);
  }

  /** Gives a field another merge tag. The contacts keep its values. */
  renameTag(field: FieldRecord, mergeTag: string): void {
    if (mergeTag === field.mergeTag) return;
    this.#rewrite(field, (values, value) => ({ ...values, [mergeTag]: value }));
    field.mergeTag = mergeTag;
  }

  /** Removes a field, and its values with it. */
  removeField(field: FieldRecord): void {
    this.#fields.delete(field.id);
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
