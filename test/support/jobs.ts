import type Bottleneck from 'bottleneck';
import type { Permit, PermitRequest } from '../../src/throttle/permit.ts';
import type { Throttle } from '../../src/throttle/throttle.ts';
import { pass, throughTime } from './fake-time.ts';
import { acquirePermit } from './permit-request.ts';

/** Lets a limiter take in whatever was scheduled, and start what it has room for. */
export const settleJobs = (): Promise<unknown> => pass(100);

/** A permit that is granted, in fake time. */
export function granted(throttle: Throttle, overrides: Partial<PermitRequest> = {}): Promise<Permit> {
  return throughTime(Promise.resolve(acquirePermit(throttle, overrides)));
}

/** Starts a job of somebody else in a limiter, and returns how to end it. */
export async function otherJob(limiter: Bottleneck): Promise<() => void> {
  const end = new Promise<() => void>((started) => {
    void limiter.schedule(() => new Promise<void>(started));
  });
  return throughTime(end);
}

/** How many jobs of a limiter wait, and how many run. */
export function jobsOf(limiter: Bottleneck): { readonly waiting: number; readonly running: number } {
  const { RECEIVED, QUEUED, RUNNING, EXECUTING } = limiter.counts();
  return { waiting: RECEIVED + QUEUED, running: RUNNING + EXECUTING };
}
