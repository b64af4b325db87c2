/** The belongings of an account: domains, tokens, limits, templates. May import `service/wire` and the emails. */
import { flag, oneOf, positiveOrInfinity } from '../../../declare/kind.ts';
import { option, type Options, type Settings } from '../../../declare/option.ts';
import type { State } from '../base/state.ts';
import { emptyTable, type Row, Table } from '../base/table.ts';

/** The behavior of accounts and tokens where published sources disagree. */
export interface EmulatorAccountOptions {
  /**
   * The path of the list of permissions: `resources` is `permissions/resources`, as recorded; `permissions` is
   * `permissions`, as specified; `both` serves both. The other path responds with 404.
   * @defaultValue 'both'
   */
  permissionsPath?: 'resources' | 'permissions' | 'both';
  /**
   * Whether the list of accesses also contains the API tokens of the account, with their values. The public reference
   * lists them; recorded lists have users and invites only.
   * @defaultValue false
   */
  listsTokens?: boolean;
  /**
   * The lifetime of an API token without `expires_at`, in milliseconds. The service is introducing 365 days.
   * @defaultValue Infinity
   */
  tokenLifetimeMs?: number;
}

export type AccountSettings = Settings<EmulatorAccountOptions>;

export const accountOptions: Options<EmulatorAccountOptions> = {
  permissionsPath: option(
    oneOf(['resources', 'permissions', 'both']),
    'both',
    'specified as one and recorded as the other',
  ),
  listsTokens: option(flag, false, 'recorded lists have no tokens; the public reference has them'),
  tokenLifetimeMs: option(positiveOrInfinity, Infinity, 'recorded tokens do not expire'),
};

/** The access of a person to an account. */
export interface AccessRecord extends Row<number> {
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

/** An account of the organization. */
interface AccountRecord extends Row<number> {
  readonly name: string;
}

/** The names of the accounts, and the accounts of the organization. */
export class AccountNames {
  readonly #names: Table<AccountRecord>;

  constructor(state: State) {
    this.#names = new Table(state.part('accounts', emptyTable<AccountRecord>(1101)));
  }

  of(accountId: number): string {
    return this.#names.anywhere(accountId)?.name ?? `Account ${accountId}`;
  }

  /** Adds the account that the emulator's own token belongs to. */
  addOwn(id: number): void {
    this.#names.put({ id, accountId: 0, name: this.of(id) });
  }

  /** Adds an account and returns its id. */
  add(name: string): number {
    return this.#names.insert({ accountId: 0, name }).id;
  }

  /** Removes an account. Returns whether there was one. */
  remove(id: number): boolean {
    const account = this.#names.anywhere(id);
    if (account !== undefined) this.#names.remove(account);
    return account !== undefined;
  }

  /** The ids of the accounts, the emulator's own first. */
  get ids(): number[] {
    return this.#names.all().map(({ id }) => id);
  }
}
