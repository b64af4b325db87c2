/** The fields of every record. */
export interface Row<Id extends number | string = number | string> {
  readonly id: Id;
  readonly accountId: number;
}

/** The counter of ids. */
export interface Ids {
  next: number;
}

/** The state of a table, as plain data. */
export interface TableState<T extends Row> {
  /** The ids, which several tables may share. */
  readonly ids: Ids;
  readonly rows: Map<T['id'], T>;
}

/** The state of an empty table. `firstId` is its first id. */
export const emptyTable = <T extends Row>(firstId = 1, ids: Ids = { next: firstId }): TableState<T> => ({
  ids,
  rows: new Map(),
});

/**
 * The records of one kind, of every account, in the order of insertion. A table assigns ids, and never reuses the id of a
 * removed record.
 */
export class Table<T extends Row> {
  readonly #rows: Map<T['id'], T>;
  readonly #ids: Ids;
  readonly #byAccount = new Map<number, Map<T['id'], T>>();

  constructor({ ids, rows }: TableState<T>) {
    this.#ids = ids;
    this.#rows = rows;
    for (const row of rows.values()) this.#index(row);
  }

  /** The id of the next record. Lower ids are assigned already. */
  get nextId(): number {
    return this.#ids.next;
  }

  /** Adds a record under the next id. */
  insert(fields: Omit<T, 'id'>): T {
    const id = this.#ids.next;
    this.#ids.next += 1;
    return this.put({ ...fields, id } as unknown as T);
  }

  /** Adds or replaces a record that has an id. */
  put(row: T): T {
    this.#rows.set(row.id, row);
    this.#index(row);
    return row;
  }

  /** The record with this id, of any account. */
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

  /** Iterates over the account's records, oldest first. */
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

  #index(row: T): void {
    const own = this.#byAccount.get(row.accountId) ?? new Map<T['id'], T>();
    this.#byAccount.set(row.accountId, own.set(row.id, row));
  }
}
