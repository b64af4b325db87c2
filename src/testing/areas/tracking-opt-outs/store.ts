import { recordOf, positive, text, time } from '../../checks/kind.ts';
import { Table } from '../../table.ts';

/** An address whose opens and clicks are not tracked. */
export interface OptOutRecord {
  readonly id: string;
  readonly accountId: number;
  readonly email: string;
  readonly domainId: number;
  readonly createdAt: number;
}

const keyOf = (email: string, domainId: number) => `${domainId} ${email.toLowerCase()}`;

const optOut = recordOf<OptOutRecord>({
  id: text,
  accountId: positive,
  email: text,
  domainId: positive,
  createdAt: time,
});

/** All tracking opt-outs. */
export class OptOutStore extends Table<OptOutRecord> {
  readonly #counts = new Map<string, number>();

  constructor() {
    super({ kind: optOut });
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
