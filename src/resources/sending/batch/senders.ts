import { AuthenticationError, PermissionDeniedError } from '../../../core/api-errors.ts';
import { fieldOf } from '../../../core/record.ts';

/** The domain of a completed email's sender, which the service verifies; empty if there is none. */
export function domainOf(from: unknown): string {
  const email = fieldOf(from, 'email');
  return typeof email === 'string' ? email.replace(/.*@/s, '').toLowerCase() : '';
}

/**
 * Records the result of each sender in a run. The service refuses an unverified sender with the same 401 or 403 as a
 * token, so one refusal does not show whether it would refuse every further call.
 *
 * Call it with the senders of a call that is sent now. Call the returned function at the end of that call, with its
 * error if it failed: it returns whether the call was refused, and every sender so far with the same status.
 */
export function sendersOf() {
  /** By domain: the status of the last refusal, or another result. */
  const answers = new Map<string, number | 'accepted' | 'unknown'>();
  let refusals = 0;
  return (senders: ReadonlySet<string>) => {
    for (const sender of senders) answers.set(sender, answers.get(sender) ?? 'unknown');
    return (error?: unknown): boolean => {
      const isRefused = error instanceof AuthenticationError || error instanceof PermissionDeniedError;
      if (error !== undefined && !isRefused) return false;
      if (isRefused) refusals += 1;
      const answer = isRefused ? error.status : 'accepted';
      for (const sender of senders) {
        // A sender that the service accepted before did not cause the refusal of a call with several senders.
        if (senders.size === 1 || answers.get(sender) !== 'accepted') answers.set(sender, answer);
      }
      // Each of several senders may have caused the first refusal.
      const isTelling = senders.size === 1 || refusals > 1;
      return isRefused && isTelling && [...answers.values()].every((last) => last === answer);
    };
  };
}
