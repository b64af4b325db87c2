import { AuthenticationError, PermissionDeniedError } from '../core/api-errors.ts';
import { isRecord } from '../core/record.ts';
import type { BatchInput } from '../models/batch-outcomes.ts';
import { addressOf } from '../models/mail-input.ts';

/**
 * Which senders a run has tried, and with what success. The service refuses an unverified sender with the same 401 or
 * 403 as a token, so one such refusal does not tell whether every further call would be refused.
 */
export class Senders {
  readonly #ofBase: string;
  /** By domain, which is what the service verifies: the status of the last refusal, or what else is known. */
  readonly #answers = new Map<string, number | 'accepted' | 'unknown'>();
  #refusals = 0;

  /** `base` is what the emails have in common. */
  constructor(base: unknown) {
    this.#ofBase = domainOf(base);
  }

  /** The senders of a call that is sent now. */
  tried(inputs: readonly BatchInput[]): ReadonlySet<string> {
    const senders = new Set(
      inputs.map(({ request }) => (request.from === undefined ? this.#ofBase : domainOf(request))),
    );
    for (const sender of senders) if (!this.#answers.has(sender)) this.#answers.set(sender, 'unknown');
    return senders;
  }

  /** A call of these senders was not refused. */
  accepted(senders: ReadonlySet<string>): void {
    for (const sender of senders) this.#answers.set(sender, 'accepted');
  }

  /** A call of these senders failed. Returns whether it was refused, and every sender tried with the same status. */
  areAllRefused(senders: ReadonlySet<string>, error: unknown): boolean {
    if (!(error instanceof AuthenticationError || error instanceof PermissionDeniedError)) return false;
    const { status } = error;
    this.#refusals += 1;
    const isAlone = senders.size === 1;
    for (const sender of senders) {
      // A sender that was accepted before is not what a call of several was refused for.
      if (isAlone || this.#answers.get(sender) !== 'accepted') this.#answers.set(sender, status);
    }
    // The first refusal of several senders may be due to any one of them.
    const isTelling = isAlone || this.#refusals > 1;
    return isTelling && [...this.#answers.values()].every((answer) => answer === status);
  }
}

/** The domain an email is sent from; empty where there is none. */
function domainOf(mail: unknown): string {
  const from = isRecord(mail) ? addressOf(mail.from) : undefined;
  const email = isRecord(from) ? from.email : undefined;
  return typeof email === 'string' ? email.replace(/.*@/s, '').toLowerCase() : '';
}
