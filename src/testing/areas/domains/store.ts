/** A sending domain as the emulator keeps it. */
export interface DomainRecord {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  verified: boolean;
}

/** Every sending domain. */
export class DomainStore {
  readonly #domains = new Map<number, DomainRecord>();
  #nextId = 301;

  add(accountId: number, name: string, verified: boolean): DomainRecord {
    const domain: DomainRecord = { id: this.#nextId, accountId, name, verified };
    this.#nextId += 1;
    this.#domains.set(domain.id, domain);
    return domain;
  }

  get(id: number): DomainRecord | undefined {
    return this.#domains.get(id);
  }

  all(): DomainRecord[] {
    return [...this.#domains.values()];
  }
}
