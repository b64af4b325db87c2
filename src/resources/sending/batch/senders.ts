import { AuthenticationError, PermissionDeniedError } from '../../../core/api-errors.ts';
import { isRecord } from '../../../core/record.ts';
import { tried } from '../../../core/tried.ts';
import type { BatchInput } from './types.ts';
import { addressOf } from '../mail/input.ts';

/** The domain an email is sent from, which is what the service verifies; empty where there is none. */
function domainOf(mail: unknown): string {
  const from = isRecord(mail) ? addressOf(mail.from) : undefined;
  const email = isRecord(from) ? from.email : undefined;
  return typeof email === 'string' ? email.replace(/.*@/s, '').toLowerCase() : '';
}

/**
 * Notes which senders a run has tried, and with what success. The service refuses an unverified sender with the same 401
 * or 403 as a token, so one such refusal does not tell whether every further call would be refused.
 *
 * To be called with the emails of a call that is sent now. What it returns is to be called when that call has ended, with
 * the error if it failed: whether it was refused, and every sender tried with the same status.
 */
export function sendersOf(base: unknown) {
  const ofBase = domainOf(base);
  const senderOf = (request: BatchInput['request']) =>
    request.from === undefined ? ofBase : domainOf(request);
  /** By domain: the status of the last refusal, or what else is known. */
  const answers = new Map<string, number | 'accepted' | 'unknown'>();
  let refusals = 0;
  return (inputs: readonly BatchInput[]) => {
    const senders = new Set(inputs.map(({ request }) => tried(() => senderOf(request)) ?? ofBase));
    for (const sender of senders) answers.set(sender, answers.get(sender) ?? 'unknown');
    return (error?: unknown): boolean => {
      const isRefused = error instanceof AuthenticationError || error instanceof PermissionDeniedError;
      if (error !== undefined && !isRefused) return false;
      if (isRefused) refusals += 1;
      const answer = isRefused ? error.status : 'accepted';
      for (const sender of senders) {
        // A sender that was accepted before is not what a call of several was refused for.
        if (senders.size === 1 || answers.get(sender) !== 'accepted') answers.set(sender, answer);
      }
      // The first refusal of several senders may be due to any one of them.
      const isTelling = senders.size === 1 || refusals > 1;
      return isRefused && isTelling && [...answers.values()].every((last) => last === answer);
    };
  };
}
