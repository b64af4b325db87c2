/** The access of a person to an account. */
export interface AccessRecord {
  readonly id: number;
  readonly accountId: number;
  readonly type: 'User' | 'Invite';
  readonly specifier: Readonly<Record<string, unknown>>;
  resources: readonly AccessResource[];
}

/** A resource and the level of access to it: 1000 for an owner, 100 for an admin, 10 for a viewer. */
export interface AccessResource {
  readonly resource_type: string;
  readonly resource_id: number;
  readonly access_level: 1000 | 100 | 50 | 10 | 1;
}

/** Everyone who has access. */
export class AccessStore {
  readonly #accesses = new Map<number, AccessRecord>();
  #nextId = 5001;

  add(access: Omit<AccessRecord, 'id'>): AccessRecord {
    const record: AccessRecord = { ...access, id: this.#nextId };
    this.#nextId += 1;
    this.#accesses.set(record.id, record);
    return record;
  }

  find(accountId: number, id: number): AccessRecord | undefined {
    const access = this.#accesses.get(id);
    return access?.accountId === accountId ? access : undefined;
  }

  list(accountId: number): AccessRecord[] {
    return [...this.#accesses.values()].filter((access) => access.accountId === accountId);
  }

  remove(id: number): void {
    this.#accesses.delete(id);
  }
}

/** The names of the accounts, and which accounts an organization has. */
export class AccountNames {
  readonly #names = new Map<number, string>();
  #nextId = 1101;

  of(accountId: number): string {
    return this.#names.get(accountId) ?? `Account ${accountId}`;
  }

  /** Adds an account and returns its id. */
  add(name: string): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#names.set(id, name);
    return id;
  }

  /** The ids of the accounts that were added. */
  get added(): number[] {
    return [...this.#names.keys()];
  }
}
