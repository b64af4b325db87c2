/** A test inbox. */
export interface InboxRecord {
  readonly id: number;
  readonly accountId: number;
}

/** All test inboxes. */
export class InboxStore {
  readonly #inboxes = new Map<number, InboxRecord>();
  #nextId: number;

  constructor(firstId: number) {
    this.#nextId = firstId;
  }

  add(accountId: number): InboxRecord {
    const inbox = { id: this.#nextId, accountId };
    this.#nextId += 1;
    this.#inboxes.set(inbox.id, inbox);
    return inbox;
  }

  of(accountId: number): InboxRecord[] {
    return [...this.#inboxes.values()].filter((inbox) => inbox.accountId === accountId);
  }

  find(accountId: number, id: number): InboxRecord | undefined {
    const inbox = this.#inboxes.get(id);
    return inbox?.accountId === accountId ? inbox : undefined;
  }
}
