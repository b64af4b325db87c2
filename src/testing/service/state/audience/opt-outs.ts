import type { State } from '../base/state.ts';
import { emptyTable, type Row, Table } from '../base/table.ts';

/** An address whose opens and clicks are not tracked. */
export interface OptOutRecord extends Row<string> {
  readonly email: string;
  readonly domainId: number;
  readonly createdAt: number;
}

const keyOf = (email: string, domainId: number) => `${domainId} ${email.toLowerCase()}`;

/** All tracking opt-outs. */
export class OptOutStore extends Table<OptOutRecord> {
  readonly #counts = new Map<string, number>();

  constructor(state: State) {
    super(state.part('tracking opt-outs', emptyTable<OptOutRecord>()));
    for (const row of this.all()) this.#count(row, 1);
  }

  override put(row: OptOutRecord): OptOutRecord {
    this.#count(row, 1);
    return super.put(row);
  }

  override remove(row: OptOutRecord): void {
    this.#count(row, -1);
    super.remove(row);
  }

  /** Whether email to an address is not tracked. */
  covers(email: string, domainId: number): boolean {
    return (this.#counts.get(keyOf(email, domainId)) ?? 0) > 0;
  }

  #count({ email, domainId }: OptOutRecord, by: number): void {
    const key = keyOf(email, domainId);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
  }
}
