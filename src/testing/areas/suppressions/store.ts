import type { EmulatorStream, LogRecord } from '../logs/record.ts';

/** Why an address is suppressed. */
export type SuppressionType = 'hard bounce' | 'unsubscription' | 'spam complaint' | 'manual import';

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
  readonly message: LogRecord | null;
}

/** All suppressed addresses. */
export class SuppressionStore {
  readonly #byId = new Map<string, SuppressionRecord>();
  /** Those that a caller requested, by address. */
  readonly #requested = new Map<string, SuppressionRecord[]>();

  add(suppression: SuppressionRecord): SuppressionRecord {
    this.#byId.set(suppression.id, suppression);
    if (suppression.message === null) {
      const address = suppression.email.toLowerCase();
      this.#requested.set(address, [...(this.#requested.get(address) ?? []), suppression]);
    }
    return suppression;
  }

  /** The suppressions of the account, newest first. */
  list(accountId: number, now: number): SuppressionRecord[] {
    return [...this.#byId.values()]
      .filter((one) => one.accountId === accountId && one.createdAt <= now)
      .sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Removes a suppression and returns it. */
  remove(accountId: number, id: string): SuppressionRecord | undefined {
    const found = this.#byId.get(id.toLowerCase());
    if (found?.accountId !== accountId) return undefined;
    this.#byId.delete(found.id);
    const address = found.email.toLowerCase();
    const others = (this.#requested.get(address) ?? []).filter((one) => one !== found);
    this.#requested.set(address, others);
    return found;
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
}
