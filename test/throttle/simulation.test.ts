import { describe, expect, test } from 'vitest';
import type { Permit } from '../../src/throttle/permit.ts';
import type { Pace } from '../../src/throttle/permit-window.ts';
import { createThrottle } from '../../src/throttle/create-throttle.ts';
import { acquirePermit } from '../support/permit-request.ts';
import { runs } from '../support/extent.ts';
import { random } from '../support/random.ts';
import { fixedWindow, slidingWindow, startedWindow, type ServerWindow } from '../support/server-windows.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const HOUR = 3_600_000;
const REQUESTS = 150;
const PER_MS = 10_000;
const PUBLISHED_IN_AN_HOUR = (REQUESTS * HOUR) / PER_MS;

/** There are always calls to send. Responses take 10 to 300 ms; the service counts a request at any moment of that. */
async function saturate(seed: number, pace: Pace): Promise<Float64Array> {
  const time = new VirtualTime();
  const throttle = createThrottle({ pace }, time);
  const next = random(seed);
  const arrivals: number[] = [];
  function send(permit: Permit): void {
    const roundTrip = 10 + next() * 290;
    arrivals.push(time.now() + next() * roundTrip);
    time.setTimer(roundTrip, () => permit.end('answered'));
  }
  function ask(): void {
    for (;;) {
      const permit = acquirePermit(throttle);
      if (permit instanceof Promise) {
        void permit.then((granted) => {
          send(granted);
          ask();
        });
        return;
      }
      send(permit);
    }
  }
  for (let waiting = 0; waiting < 3; waiting += 1) ask();
  while (time.nextAt < HOUR) {
    time.fireNext();
    await Promise.resolve();
  }
  return Float64Array.from(arrivals).sort();
}

function rejections(arrivals: Float64Array, server: ServerWindow): number {
  let rejected = 0;
  for (const at of arrivals) if (!server.admit(at)) rejected += 1;
  return rejected;
}

describe('an hour of saturation is never refused, and reaches 97 % of the published rate', () => {
  const seeds = Array.from({ length: runs(20) }, (_, index) => index + 1);

  async function check(seed: number, pace: Pace): Promise<void> {
    const arrivals = await saturate(seed, pace);
    expect(rejections(arrivals, fixedWindow(REQUESTS, PER_MS))).toBe(0);
    expect(rejections(arrivals, fixedWindow(REQUESTS, PER_MS, (seed * PER_MS) / 20.3))).toBe(0);
    expect(rejections(arrivals, startedWindow(REQUESTS, PER_MS))).toBe(0);
    expect(rejections(arrivals, slidingWindow(REQUESTS, PER_MS))).toBe(0);
    expect(arrivals.length).toBeGreaterThanOrEqual(0.97 * PUBLISHED_IN_AN_HOUR);
    expect(arrivals.length).toBeLessThanOrEqual(PUBLISHED_IN_AN_HOUR + REQUESTS);
  }

  test.each(seeds)('in bursts, seed %i', (seed) => check(seed, 'burst'));
  test.each(seeds.slice(0, runs(3)))('evenly, seed %i', (seed) => check(seed, 'even'));
});
