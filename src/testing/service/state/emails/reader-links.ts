import { hmac } from '../../../encoding/hashes.ts';

/** The decisions of a reader that a link in an email leads to. */
export type Decision = 'unsubscribe' | 'tracking-opt-out';

/** The placeholders in the bodies of emails, which links of the recipient replace. */
export const PLACEHOLDERS: Readonly<Record<Decision, string>> = {
  unsubscribe: '__unsubscribe_url__',
  'tracking-opt-out': '__tracking_opt_out_url__',
};

/** The facts that identify an email to one recipient. */
export interface Linked {
  readonly id: string;
  readonly to: string;
  readonly sentAt: number;
}

const DIGITS = 32;

/** The links that {@link ReaderLinks} makes, in a text. */
export const READER_LINKS =
  /https?:\/\/[^\s"'<>/]+\/reader\/(?:unsubscribe|tracking-opt-out)\/[\da-f-]{36}\/[\da-f]{32}/g;

/** Whether a text has such a link. */
export const hasReaderLink = (text: string): boolean => text.search(READER_LINKS) >= 0;

/** The links for the reader of an email: signed, so that they cannot be guessed, and without an expiry. */
export class ReaderLinks {
  readonly #secret: string;
  readonly #origin: () => string;

  /** @param origin - returns the origin of the emulator's newest server, or that of the emulator in memory. */
  constructor(secret: string, origin: () => string) {
    this.#secret = secret;
    this.#origin = origin;
  }

  /** The address of the page on which the reader makes a decision. */
  of(decision: Decision, email: Linked): string {
    return `${this.#origin()}/reader/${decision}/${email.id}/${this.#signature(decision, email)}`;
  }

  isSignature(given: string, decision: Decision, email: Linked): boolean {
    // Compares HMACs, so that timing reveals nothing about the signature.
    return hmac(this.#secret, given) === hmac(this.#secret, this.#signature(decision, email));
  }

  /** Covers the recipient and the time, because emails after a reset have the ids of earlier ones. */
  #signature(decision: Decision, { id, to, sentAt }: Linked): string {
    return hmac(this.#secret, `${decision} ${id} ${sentAt} ${to}`).slice(0, DIGITS);
  }
}
