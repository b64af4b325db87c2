/** What all records have. */
export interface Row {
  readonly id: number | string;
  readonly accountId: number;
}

/** The numbers that records get as ids, one after the other. */
export interface Ids {
  next: number;
}

/** What a table keeps: plain data. */
export interface TableState<T extends Row> {
  /** The ids, which several tables may share. */
  readonly ids: Ids;
  readonly rows: Map<T['id'], T>;
}

/** A table without records. `firstId` is the first of the numbers that it gives as ids. */
export const emptyTable = <T extends Row>(firstId = 1, ids: Ids = { next: firstId }): TableState<T> => ({
  ids,
  rows: new Map(),
});

/**
 * The records of one kind, of every account, in the order in which they were added. It gives ids, and never one twice: a
 * record that was removed leaves its id unused.
 */
export class Table<T extends Row> {
  readonly #rows: Map<T['id'], T>;
  readonly #ids: Ids;
  readonly #byAccount = new Map<number, Map<T['id'], T>>();

  constructor({ ids, rows }: TableState<T>) {
    this.#ids = ids;
    this.#rows = rows;
    for (const row of rows.values()) this.#enter(row);
  }

  /** The id that the next record gets. Ids below it were given before. */
  get nextId(): number {
    return this.#ids.next;
  }

  /** Adds a record under the next id. */
  insert(fields: Omit<T, 'id'>): T {
    const id = this.#ids.next;
    this.#ids.next += 1;
    return this.put({ ...fields, id } as unknown as T);
  }

  /** Adds a record that has an id of its own. */
  put(row: T): T {
    this.#rows.set(row.id, row);
    this.#enter(row);
    return row;
  }

  /** The record with this id, whoever it belongs to. */
  anywhere(id: T['id']): T | undefined {
    return this.#rows.get(id);
  }

  /** The account's record with this id. */
  find(accountId: number, id: T['id']): T | undefined {
    return this.#byAccount.get(accountId)?.get(id);
  }

  has(row: T): boolean {
    return this.#rows.has(row.id);
  }

  /** The account's records, oldest first. */
  of(accountId: number): T[] {
    return [...(this.#byAccount.get(accountId)?.values() ?? [])];
  }

  /** The same, one at a time. */
  each(accountId: number): Iterable<T> {
    return this.#byAccount.get(accountId)?.values() ?? [];
  }

  /** The account's records, newest first. */
  newestOf(accountId: number): T[] {
    return this.of(accountId).reverse();
  }

  /** Every record, oldest first. */
  all(): T[] {
    return [...this.#rows.values()];
  }

  count(accountId: number): number {
    return this.#byAccount.get(accountId)?.size ?? 0;
  }

  remove(row: T): void {
    this.#rows.delete(row.id);
    this.#byAccount.get(row.accountId)?.delete(row.id);
  }

  #enter(row: T): void {
    const own = this.#byAccount.get(row.accountId) ?? new Map<T['id'], T>();
    this.#byAccount.set(row.accountId, own.set(row.id, row));
  }
}
