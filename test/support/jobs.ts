import type Bottleneck from 'bottleneck';
import type { Permit, PermitRequest } from '../../src/throttle/permit.ts';
import type { Throttle } from '../../src/throttle/throttle.ts';
import { pass, throughTime } from './fake-time.ts';
import { acquirePermit } from './permit-request.ts';

/** Lets a limiter process scheduled jobs, and start as many as it has room for. */
export const settleJobs = (): Promise<unknown> => pass(100);

/** Requests a permit, and advances fake time until it is granted. */
export function granted(throttle: Throttle, overrides: Partial<PermitRequest> = {}): Promise<Permit> {
  return throughTime(Promise.resolve(acquirePermit(throttle, overrides)));
}

/** Starts an unrelated job in a limiter, and returns a function that ends it. */
export async function otherJob(limiter: Bottleneck): Promise<() => void> {
  const end = new Promise<() => void>((started) => {
    void limiter.schedule(() => new Promise<void>(started));
  });
  return throughTime(end);
}

/** The numbers of queued and running jobs of a limiter. */
export function jobsOf(limiter: Bottleneck): { readonly waiting: number; readonly running: number } {
  const { RECEIVED, QUEUED, RUNNING, EXECUTING } = limiter.counts();
  return { waiting: RECEIVED + QUEUED, running: RUNNING + EXECUTING };
}
