/**
 * workerd isolates requests: a timer or a response wakes only its own request. So no other call can wake a queued one,
 * which looks for its permit by timers of its own.
 */
import type { Permit } from '../../throttle/permit.ts';
import type { Throttle } from '../../throttle/throttle.ts';
import type { Attempt } from '../attempt.ts';

/** The bounds of the time after which a queued call looks again. */
const SHORTEST_LOOK_MS = 25;
const LONGEST_LOOK_MS = 250;

/** Waits until the throttle has granted the permit, or another one in its place. */
export async function lookForPermit(
  attempt: Attempt,
  throttle: Throttle,
  permit: Permit,
  doing: string,
): Promise<void> {
  let failure: Error | undefined;
  for (;;) {
    permit.waiter = { resolve: () => undefined, reject: (reason) => (failure = reason) };
    const roomInMs = throttle.look(permit);
    if (failure) throw failure;
    if (permit.state === 'out') return;
    const timeoutMs = Math.max(SHORTEST_LOOK_MS, Math.min(roomInMs, LONGEST_LOOK_MS));
    await attempt.call.wait(undefined, doing, timeoutMs);
    // The throttle took back the permit of a call that was only late.
    if (permit.state === 'ended') {
      permit = throttle.acquire(permit.request);
      attempt.asked(permit);
    }
  }
}
