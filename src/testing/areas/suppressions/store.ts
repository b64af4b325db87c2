import type { EmulatorStream, LogRecord } from '../logs/record.ts';

/** Why an address gets no more mail. */
export type SuppressionType = 'hard bounce' | 'unsubscription' | 'spam complaint' | 'manual import';

/** An address that gets no more mail, or none of a kind. */
export interface SuppressionRecord {
  readonly id: string;
  readonly accountId: number;
  readonly email: string;
  readonly type: SuppressionType;
  readonly stream: EmulatorStream | 'any';
  readonly domainId: number;
  readonly createdAt: number;
  /** The message that led to it; it is listed once that has happened, and does not stop further mail. */
  readonly message: LogRecord | null;
}

/** Every suppressed address. */
export class SuppressionStore {
  #suppressions: SuppressionRecord[] = [];

  add(suppression: SuppressionRecord): SuppressionRecord {
    this.#suppressions.push(suppression);
    return suppression;
  }

  /** The account's, newest first. */
  list(accountId: number, now: number): SuppressionRecord[] {
    return this.#suppressions
      .filter((one) => one.accountId === accountId && one.createdAt <= now)
      .sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Removes one and returns it. */
  remove(accountId: number, id: string): SuppressionRecord | undefined {
    const found = this.#suppressions.find((one) => one.id === id && one.accountId === accountId);
    this.#suppressions = this.#suppressions.filter((one) => one !== found);
    return found;
  }

  /**
   * What keeps mail from an address: only what a caller asked for. The address that bounces in every test goes on
   * bouncing, rather than being rejected from the second time on.
   */
  stopping(accountId: number, email: string, stream: EmulatorStream, domainId: number) {
    const wanted = email.toLowerCase();
    return this.#suppressions.find(
      (one) =>
        one.message === null &&
        one.email.toLowerCase() === wanted &&
        one.accountId === accountId &&
        one.domainId === domainId &&
        (one.stream === 'any' || one.stream === stream),
    );
  }
}
