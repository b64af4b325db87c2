import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes on the heap without garbage. Collects repeatedly: what has to be finalized is not freed the first time. */
export async function heapUsed(): Promise<number> {
  for (let n = 0; n < 3; n += 1) {
    await sleep(20);
    if (globalThis.gc === undefined) throw new Error('Run with --expose-gc.');
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}
