import { setTimeout as sleep } from 'node:timers/promises';

/** What is left on the heap when all garbage is gone, what a first collection only marks for finalization included. */
export async function heapUsed(): Promise<number> {
  for (let n = 0; n < 3; n += 1) {
    await sleep(20);
    if (globalThis.gc === undefined) throw new Error('Run with --expose-gc.');
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}
