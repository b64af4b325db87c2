import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RateLimit } from '../../src/core/limits.ts';
import type { Ending, Pace } from '../../src/throttle/permit-window.ts';
import { Pool } from '../../src/throttle/pool.ts';
import { fixedWindow, slidingWindow, startedWindow } from '../support/server-windows.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** A request as a pool knows it. */
const sent = (grantedAt: number, timeoutMs: number) => ({ grantedAt, timeoutMs, baseline: 0 });

const poolOf = (limit: RateLimit, pace?: Pace) => new Pool('contacts', limit, pace);

/** How a request ends, `after` milliseconds after it was sent, and when in between the service counts it. */
const ending = fc.record({
  kind: fc.constantFrom<Ending>('answered', 'answered', 'answered', 'neverSent', 'abandoned', 'timedOut'),
  after: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2_500 })),
  // Includes both extremes, because a slightly wrong rule fails there.
  counted: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
});

const traffic = fc.record({
  requests: fc.integer({ min: 1, max: 5 }),
  perMs: fc.integer({ min: 1, max: 1_000 }),
  timeoutMs: fc.integer({ min: 1, max: 2_000 }),
  pace: fc.constantFrom<Pace>('burst', 'even'),
  calls: fc.array(fc.record({ gap: fc.integer({ min: 0, max: 300 }), ending }), {
    minLength: 1,
    maxLength: 60,
  }),
});

type Traffic = typeof traffic extends fc.Arbitrary<infer T> ? T : never;

/** Sends each call as soon as there is room; returns when the service counted them. */
function play({ requests, perMs, timeoutMs, pace, calls }: Traffic) {
  const time = new VirtualTime();
  const window = poolOf({ requests, perMs }, pace);
  const counted: number[] = [];
  for (const { gap, ending } of calls) {
    const wanted = time.now() + gap;
    const hasRoom = () => window.roomAt(time.now()) <= time.now();
    while (time.now() < wanted || !hasRoom()) {
      const next = Math.min(time.nextAt, later(window.roomAt(time.now())), later(wanted));
      if (next === Infinity) throw new Error('No permit will ever be returned.');
      if (time.nextAt <= next) time.fireNext();
      else time.stall(next - time.now());
    }
    send(ending);
  }
  while (time.fireNext());
  return { window, counted: counted.sort((one, other) => one - other), time };

  function later(moment: number): number {
    return moment > time.now() ? moment : Infinity;
  }

  function send({ kind, after, counted: fraction }: (typeof calls)[number]['ending']): void {
    const sentAt = time.now();
    window.take(sent(sentAt, 10), sentAt);
    expect(window.used(sentAt)).toBeLessThanOrEqual(requests);
    if (kind === 'timedOut') {
      time.setTimer(timeoutMs, () => window.end(sent(sentAt, timeoutMs), 'timedOut', {}, time.now()));
      counted.push(sentAt + fraction * 2 * timeoutMs);
      return;
    }
    const way = kind === 'abandoned' ? Math.min(after, timeoutMs) : after;
    time.setTimer(way, () => window.end(sent(sentAt, timeoutMs), kind, {}, time.now()));
    if (kind === 'answered') counted.push(sentAt + fraction * way);
    if (kind === 'abandoned') counted.push(sentAt + fraction * timeoutMs);
  }
}

describe('however long requests and responses take', () => {
  test('no interval as long as the window, wherever it begins, contains more requests than the limit', () => {
    fc.assert(
      fc.property(traffic, (run) => {
        const { counted } = play(run);
        counted.forEach((at, index) => {
          const beyond = counted[index + run.requests];
          if (beyond !== undefined) expect(beyond).toBeGreaterThanOrEqual(at + run.perMs - 1e-9);
        });
      }),
      { numRuns: 400 },
    );
  });

  test('a service with fixed, clock-aligned, started or sliding windows refuses none', () => {
    fc.assert(
      fc.property(traffic, fc.double({ min: 0, max: 1, noNaN: true }), (run, offset) => {
        const counted = play(run).counted.map((at, index) => at + index * 1e-9);
        const { requests, perMs } = run;
        for (const server of [
          fixedWindow(requests, perMs),
          fixedWindow(requests, perMs, offset * perMs),
          startedWindow(requests, perMs),
          slidingWindow(requests, perMs),
        ]) {
          expect(counted.filter((at) => !server.admit(at))).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('every permit that was taken is returned', () => {
    fc.assert(
      fc.property(traffic, (run) => {
        const { window, time } = play(run);
        const longest = 2 * run.timeoutMs + run.perMs;
        expect(window.used(time.now() + longest)).toBe(0);
        expect(window.isIdle(time.now() + longest)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a permit is returned', () => {
  const limit = { requests: 1, perMs: 100 };

  function usedUntil(window: Pool): number {
    for (let now = 0; now < 1_000; now += 1) if (window.used(now) === 0) return now;
    return Infinity;
  }

  test('one window after the response', () => {
    const window = poolOf(limit);
    window.take(sent(0, 10), 0);
    expect(usedUntil(window)).toBe(Infinity);
    window.end(sent(0, 200), 'answered', {}, 30);
    expect(usedUntil(window)).toBe(130);
  });

  test('at once when the request never left', () => {
    const window = poolOf(limit);
    window.take(sent(0, 10), 0);
    window.end(sent(0, 200), 'neverSent', {}, 0);
    expect(usedUntil(window)).toBe(0);
  });

  test('one window after the request would have timed out, if it was abandoned', () => {
    const window = poolOf(limit);
    window.take(sent(0, 10), 0);
    window.end(sent(0, 200), 'abandoned', {}, 30);
    expect(usedUntil(window)).toBe(300);
  });

  test('one window after it was abandoned, if that was later', () => {
    const window = poolOf(limit);
    window.take(sent(0, 10), 0);
    window.end(sent(0, 200), 'abandoned', {}, 250);
    expect(usedUntil(window)).toBe(350);
  });

  test('its timeout and one window after it timed out', () => {
    const window = poolOf(limit);
    window.take(sent(0, 10), 0);
    window.end(sent(0, 200), 'timedOut', {}, 200);
    expect(usedUntil(window)).toBe(500);
  });

  test('even if requests abandoned earlier still hold theirs', () => {
    const window = poolOf({ requests: 3, perMs: 100 });
    for (let count = 0; count < 3; count += 1) window.take(sent(0, 10), 0);
    window.end(sent(0, 200), 'timedOut', {}, 200);
    window.end(sent(0, 200), 'answered', {}, 210);
    window.end(sent(0, 250), 'abandoned', {}, 220);
    expect([309, 310, 349, 350, 499, 500].map((now) => window.used(now))).toEqual([3, 2, 2, 1, 1, 0]);
  });
});

describe('an even pace', () => {
  test('keeps an equal share of the window between two requests', () => {
    const window = poolOf({ requests: 4, perMs: 100 }, 'even');
    expect(window.roomAt(7)).toBe(7);
    window.take(sent(7, 10), 7);
    expect(window.roomAt(7)).toBe(32);
  });
});

describe('expecting the nth request', () => {
  test('agrees with what happens when every response comes at once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 20 }),
        (requests, answers, nth) => {
          const window = poolOf({ requests, perMs: 100 });
          const times = answers.slice(0, requests).sort((one, other) => one - other);
          for (const at of times) {
            window.take(sent(0, 10), 0);
            window.end(sent(0, 10), 'answered', {}, at);
          }
          const expected = window.expect(nth, 99);
          let now = 99;
          for (let count = 0; count < nth;) {
            if (window.used(now) < requests) {
              window.take(sent(now, 10), now);
              window.end(sent(now, 10), 'answered', {}, now);
              count += 1;
            } else now = window.roomAt(now);
          }
          expect(expected).toBe(now);
        },
      ),
    );
  });

  test('assumes that responses to requests in flight arrive now, and includes permits set aside', () => {
    class SharedWithOthers extends Pool {
      protected override heldBack() {
        return { held: 1, heldUntil: 80 };
      }
    }
    const window = new SharedWithOthers('contacts', { requests: 4, perMs: 100 });
    window.take(sent(0, 10), 0);
    window.take(sent(0, 10), 0);
    window.end(sent(0, 500), 'timedOut', {}, 50);
    // One is free, one is set aside until 80, one is in flight, one is returned at 650.
    expect([1, 2, 3, 4, 5].map((nth) => window.expect(nth, 60))).toEqual([60, 80, 160, 650, 160]);
    window.blockedUntil = 70;
    expect(window.expect(1, 60)).toBe(70);
  });
});
