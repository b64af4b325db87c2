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

/** A list of contacts. */
export interface ListRecord {
  readonly id: number;
  readonly accountId: number;
  name: string;
}

/** All contacts and lists. */
export class ContactStore {
  readonly #contacts = new Map<string, ContactRecord>();
  readonly #lists = new Map<number, ListRecord>();
  #nextListId = 1;

  add(contact: ContactRecord): ContactRecord {
    this.#contacts.set(contact.id, contact);
    return contact;
  }

  /** The account's contact with this id or email address. */
  find(accountId: number, idOrEmail: string): ContactRecord | undefined {
    const wanted = idOrEmail.toLowerCase();
    for (const contact of this.#contacts.values()) {
      if (contact.accountId !== accountId) continue;
      if (contact.id === wanted || contact.email.toLowerCase() === wanted) return contact;
    }
    return undefined;
  }

  remove(id: string): void {
    this.#contacts.delete(id);
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

  removeList(id: number): void {
    this.#lists.delete(id);
  }
}
