import type { EmulatorStream, LogRecord } from '../logs/record.ts';

/** Why an address is suppressed. */
export type SuppressionType = 'hard bounce' | 'unsubscription' | 'spam complaint' | 'manual import';

/** An address that no longer receives email, on one stream or on any. */
export interface SuppressionRecord {
  readonly id: string;
  readonly accountId: number;
  readonly email: string;
  readonly type: SuppressionType;
  readonly stream: EmulatorStream | 'any';
  readonly domainId: number;
  readonly createdAt: number;
  /** The message that caused it, if any. Such a suppression is listed, but does not stop further email. */
  readonly message: LogRecord | null;
}

/** All suppressed addresses. */
export class SuppressionStore {
  #suppressions: SuppressionRecord[] = [];

  add(suppression: SuppressionRecord): SuppressionRecord {
    this.#suppressions.push(suppression);
    return suppression;
  }

  /** The suppressions of the account, newest first. */
  list(accountId: number, now: number): SuppressionRecord[] {
    return this.#suppressions
      .filter((one) => one.accountId === accountId && one.createdAt <= now)
      .sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Removes a suppression and returns it. */
  remove(accountId: number, id: string): SuppressionRecord | undefined {
    const found = this.#suppressions.find((one) => one.id === id && one.accountId === accountId);
    this.#suppressions = this.#suppressions.filter((one) => one !== found);
    return found;
  }

  /**
   * The suppression that stops email to an address. Only those that a caller requested count: an address that bounces in
   * a test has to bounce again in the next one, and not be rejected.
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
