import { describe, expect, test } from 'vitest';
import { createThrottle } from '../../src/throttle/create-throttle.ts';
import { acquirePermit } from '../support/permit-request.ts';
import { random } from '../support/random.ts';
import {
  fixedWindow,
  leakyBucket,
  slidingWindow,
  startedWindow,
  weightedWindow,
  type ServerWindow,
} from '../support/server-windows.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const REQUESTS = 150;
const PER_MS = 10_000;
const key = { token: 'a' };
/** How long another client runs before ours starts. */
const HEAD_START_MS = 9_000;

interface Run {
  readonly server: ServerWindow;
  readonly calls: number;
  readonly seed?: number;
  /** Whether responses have `x-ratelimit-remaining`. */
  readonly hasRemaining?: boolean;
  /** Mean milliseconds between requests of another client with the same token. */
  readonly othersEveryMs?: number;
}

/** Makes the calls at once; those refused are retried after the reset that the service names. */
async function simulate({ server, calls, seed = 1, hasRemaining = true, othersEveryMs }: Run) {
  const time = new VirtualTime();
  const throttle = createThrottle({}, time);
  const next = random(seed);
  const refusals: number[] = [];
  let tooEarly = 0;
  let blockedUntil = 0;
  let done = 0;

  async function call(): Promise<void> {
    for (let refused = 0; ; refused += 1) {
      const permit = await acquirePermit(throttle, { isRetry: refused > 0 });
      if (time.now() < blockedUntil) tooEarly += 1;
      await time.sleep(5 + next() * 145);
      const isAdmitted = server.admit(time.now());
      const remaining = server.remaining(time.now());
      const resetIn = Math.max(250, server.resetAt(time.now()) - time.now());
      await time.sleep(5 + next() * 145);
      if (!isAdmitted) {
        blockedUntil = Math.max(blockedUntil, time.now() + resetIn);
        throttle.block(key, 'token', resetIn);
      }
      permit.end('answered', hasRemaining ? { limit: REQUESTS, remaining } : {});
      if (isAdmitted) {
        done += 1;
        refusals.push(refused);
        return;
      }
      await time.sleep(resetIn);
    }
  }
  function others(): void {
    server.admit(time.now());
    if (done < calls) time.setTimer(2 * next() * (othersEveryMs ?? 0), others);
  }

  if (othersEveryMs !== undefined) others();
  while (time.nextAt < HEAD_START_MS) time.fireNext();
  const all = Promise.all(Array.from({ length: calls }, call));
  await time.run(all);
  return {
    refused: refusals.reduce((sum, count) => sum + count, 0),
    mostOften: Math.max(...refusals),
    tooEarly,
    tookMs: time.now(),
  };
}

describe('without other clients', () => {
  test.each([
    ['aligned', fixedWindow(REQUESTS, PER_MS, 3_000)],
    ['started', startedWindow(REQUESTS, PER_MS)],
    ['sliding', slidingWindow(REQUESTS, PER_MS)],
  ])('calls are never slowed down, and none is refused: %s windows', async (_, server) => {
    const run = await simulate({ server, calls: 3_000 });
    expect(run.refused).toBe(0);
    // 19 windows must pass before the last 150 can be sent.
    expect(run.tookMs).toBeLessThan(190_000 * 1.03);
  });
});

describe('if the server counts differently, some requests are refused, but every call succeeds', () => {
  test.each([
    ['a weighted sliding counter', () => weightedWindow(REQUESTS, PER_MS), 400_000],
    ['a leaky bucket of half the burst', () => leakyBucket(REQUESTS, PER_MS, REQUESTS / 2), 250_000],
  ])('%s', async (_, server, atMostMs) => {
    for (const hasRemaining of [true, false]) {
      const run = await simulate({ server: server(), calls: 3_000, hasRemaining });
      expect(run.refused).toBeGreaterThan(0);
      expect(run.tooEarly).toBe(0);
      expect(run.mostOften).toBeLessThanOrEqual(5);
      expect(run.tookMs).toBeLessThan(atMostMs);
    }
  });
});

describe('other clients with the same token: every call succeeds, and none is retried before its reset', () => {
  const servers = [
    ['aligned', () => fixedWindow(REQUESTS, PER_MS)],
    ['sliding', () => slidingWindow(REQUESTS, PER_MS)],
  ] as const;
  // Half of the limit, most of it, and twice the limit.
  const paces = [130, 70, 33];

  test.each(servers)('%s windows', async (_, server) => {
    for (const othersEveryMs of paces) {
      for (const calls of [1, 400]) {
        const run = await simulate({ server: server(), calls, othersEveryMs });
        expect(run.tooEarly).toBe(0);
        expect(run.mostOften).toBeLessThanOrEqual(10);
        expect(run.refused).toBeLessThan(1.5 * calls + 5);
      }
    }
  });
});
