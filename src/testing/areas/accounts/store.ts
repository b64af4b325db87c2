import { arrayOf, recordOf, oneOf, plainObject, positive, text, wholeFrom } from '../../checks/kind.ts';
import { Table } from '../../table.ts';

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

const access = recordOf<AccessRecord>({
  id: positive,
  accountId: positive,
  type: oneOf(['User', 'Invite']),
  specifier: plainObject,
  resources: arrayOf(
    'resources',
    recordOf<AccessResource>({ resource_type: text, resource_id: positive, access_level: positive }),
  ),
});

/** Everyone who has access. */
export class AccessStore extends Table<AccessRecord> {
  constructor() {
    super({ kind: access, firstId: 5001 });
  }
}

/** An account that was added to the organization. */
interface AccountRecord {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
}

const account = recordOf<AccountRecord>({ id: positive, accountId: wholeFrom(0), name: text });

/** The names of the accounts, and which accounts an organization has. */
export class AccountNames {
  readonly #names = new Table<AccountRecord>({ kind: account, firstId: 1101 });

  of(accountId: number): string {
    return this.#names.anywhere(accountId)?.name ?? `Account ${accountId}`;
  }

  /** Adds an account and returns its id. */
  add(name: string): number {
    return this.#names.insert({ accountId: 0, name }).id;
  }

  /** The ids of the accounts that were added. */
  get added(): number[] {
    return this.#names.all().map(({ id }) => id);
  }

  save(): unknown {
    return this.#names.save();
  }

  load(saved: unknown, name: string): void {
    this.#names.load(saved, name);
  }
}
