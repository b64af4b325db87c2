import { MAX_TIMER_MS } from '../../core/runtime.ts';
import { ConfigurationError } from '../../core/errors.ts';
import type { Permit } from '../../throttle/permit.ts';
import { returnsAt, type Ending } from '../../throttle/permit-window.ts';
import type { Pool } from '../../throttle/pool.ts';
import type { BottleneckPool } from './options.ts';

/**
 * Runs a job for a call. Resolves when the job has started, with the function that ends it. `now` is the clock of the
 * permit.
 */
export async function startJob(
  { name, limit }: Pool,
  { limiter, release }: BottleneckPool,
  permit: Permit,
  now: () => number,
) {
  const { requests, perMs } = limit;
  // A cluster frees the jobs of a killed process after this time. An account's job may wait for the token's job.
  const longestMs = 2 * permit.timeoutMs + perMs + (name === 'token' ? 30_000 : 600_000);
  // Calls of normal priority are equal to jobs of normal priority, which is 5.
  const job = { priority: 2 + permit.rank, expiration: limiter.datastore === 'local' ? null : longestMs };
  try {
    // Bottleneck exposes no other settings, and in a cluster these may change at any time.
    const isWindow = release === 'window';
    if (isWindow && (await limiter.currentReservoir()) !== null) throw new Error('It has a reservoir.');
    if (isWindow && (await limiter.check(requests + 1))) throw new Error(`maxConcurrent is not ${requests}.`);
    const end = await new Promise<() => void>((started, failed) => {
      limiter.schedule(job, () => new Promise<void>(started)).catch(failed);
    });
    return (ending: Ending): void => {
      const endsAt = now();
      const ms = isWindow ? returnsAt(ending, permit, perMs, endsAt) - endsAt : 0;
      const timer: { unref?: () => unknown } = setTimeout(end, Math.min(Math.ceil(ms), MAX_TIMER_MS));
      timer.unref?.();
    };
  } catch (cause) {
    const option = `${name}.limiter`;
    throw new ConfigurationError(`${option} ran no job for this call: ${String(cause)}`, { option, cause });
  }
}
