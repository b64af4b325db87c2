import { positive } from '../../checks/kind.ts';
import { option, type Options, type Settings } from '../../option.ts';
import type { State } from '../../state.ts';
import { emptyTable, Table } from '../../table.ts';
import type { EmulatorStream } from '../email-logs/store.ts';

/** The behavior of suppressions and of tracking opt-outs where it is not published. */
export interface EmulatorSuppressionOptions {
  /**
   * The number of items on a page of either list.
   * @defaultValue 1000
   */
  pageSize?: number;
}

export type SuppressionSettings = Settings<EmulatorSuppressionOptions>;

export const suppressionOptions: Options<EmulatorSuppressionOptions> = {
  pageSize: option(positive, 1000, 'the public reference'),
};

/** Why an address is suppressed. */
export type SuppressionType = 'hard bounce' | 'unsubscription' | 'spam complaint' | 'manual import';

export const SUPPRESSION_TYPES: readonly SuppressionType[] = [
  'hard bounce',
  'unsubscription',
  'spam complaint',
  'manual import',
];

/** What a suppression says of the message that caused it. */
export interface Cause {
  readonly to: string;
  readonly sentAt: number;
  readonly stream: EmulatorStream;
  readonly from: string;
  readonly subject: string | null;
  readonly category: string | null;
  readonly clientIp: string | null;
}

/** An address that no longer receives email on one stream. */
export interface SuppressionRecord {
  readonly id: string;
  readonly accountId: number;
  readonly email: string;
  readonly type: SuppressionType;
  readonly stream: EmulatorStream;
  readonly domainId: number;
  readonly createdAt: number;
  /** The message that caused it, if any. Such a suppression is listed, but does not stop further email. */
  readonly cause: Cause | null;
}

/** All suppressed addresses. */
export class SuppressionStore extends Table<SuppressionRecord> {
  /** Those that a caller requested, by address. */
  readonly #requested = new Map<string, SuppressionRecord[]>();

  constructor(state: State) {
    super(state.part('suppressions', emptyTable<SuppressionRecord>()));
    for (const row of this.all()) this.#index(row);
  }

  override put(row: SuppressionRecord): SuppressionRecord {
    this.#index(row);
    return super.put(row);
  }

  override remove(row: SuppressionRecord): void {
    super.remove(row);
    const address = row.email.toLowerCase();
    const others = (this.#requested.get(address) ?? []).filter((one) => one !== row);
    this.#requested.set(address, others);
  }

  /** The suppressions of the account, newest first. */
  list(accountId: number, now: number): SuppressionRecord[] {
    return this.of(accountId)
      .filter(({ createdAt }) => createdAt <= now)
      .sort((a, b) => b.createdAt - a.createdAt);
  }

  /**
   * The suppression that stops email to an address. Only those that a caller requested count: an address that bounces in
   * a test has to bounce again in the next one, and not be rejected.
   */
  stopping(accountId: number, email: string, stream: EmulatorStream, domainId: number) {
    return this.#requested
      .get(email.toLowerCase())
      ?.find((one) => one.accountId === accountId && one.domainId === domainId && one.stream === stream);
  }

  #index(row: SuppressionRecord): void {
    if (row.cause !== null) return;
    const address = row.email.toLowerCase();
    this.#requested.set(address, [...(this.#requested.get(address) ?? []), row]);
  }
}
