import { flag, positive } from '../../../declare/kind.ts';
import { option, type Options, type Settings } from '../../../declare/option.ts';
import type { State } from '../base/state.ts';
import { emptyTable, type Row, Table } from '../base/table.ts';
import type { EmulatorStream } from '../emails/email-log.ts';

/** The unpublished behavior of suppressions and tracking opt-outs. */
export interface EmulatorSuppressionOptions {
  /**
   * The number of items on a page of the two lists.
   * @defaultValue 1000
   */
  pageSize?: number;
  /**
   * Whether a bounce suppresses the address, as in the service. By default, it does not: an address that bounces in one
   * test bounces again in the next, and is not rejected. A complaint or an unsubscription always suppresses it.
   * @defaultValue false
   */
  stopAfterEvents?: boolean;
}

export type SuppressionSettings = Settings<EmulatorSuppressionOptions>;

export const suppressionOptions: Options<EmulatorSuppressionOptions> = {
  pageSize: option(positive, 1000, 'the public reference'),
  stopAfterEvents: option(flag, false, 'tests that share an address which bounces stay independent'),
};

export const SUPPRESSION_TYPES = [
  'hard bounce',
  'unsubscription',
  'spam complaint',
  'manual import',
] as const;

/** Why an address is suppressed. */
export type SuppressionType = (typeof SUPPRESSION_TYPES)[number];

/** The message that caused a suppression. */
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
export interface SuppressionRecord extends Row<string> {
  readonly email: string;
  readonly type: SuppressionType;
  readonly stream: EmulatorStream;
  readonly domainId: number;
  readonly createdAt: number;
  /** The message that caused it, if any. */
  readonly cause: Cause | null;
}

/** All suppressed addresses. */
export class SuppressionStore extends Table<SuppressionRecord> {
  /** By address. */
  readonly #stopping = new Map<string, SuppressionRecord[]>();

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
    const others = (this.#stopping.get(address) ?? []).filter((one) => one !== row);
    this.#stopping.set(address, others);
  }

  /** The suppressions of the account, newest first. */
  list(accountId: number, now: number): SuppressionRecord[] {
    return this.of(accountId)
      .filter(({ createdAt }) => createdAt <= now)
      .sort((a, b) => b.createdAt - a.createdAt);
  }

  /** The suppression, of any or one type, that stops an email to an address at a time; `undefined` if none does. */
  stopping(
    { accountId, stream, domainId }: Pick<SuppressionRecord, 'accountId' | 'stream' | 'domainId'>,
    email: string,
    at: number,
    type?: SuppressionType,
  ): SuppressionRecord | undefined {
    return this.#stopping
      .get(email.toLowerCase())
      ?.find(
        (one) =>
          one.accountId === accountId &&
          one.domainId === domainId &&
          one.stream === stream &&
          one.createdAt <= at &&
          (type === undefined || one.type === type),
      );
  }

  #index(row: SuppressionRecord): void {
    const address = row.email.toLowerCase();
    this.#stopping.set(address, [...(this.#stopping.get(address) ?? []), row]);
  }
}
