import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { steady, stopwatch } from '../../src/core/steady-time.ts';

/** A steady clock over a clock that the test sets. */
function overSet(start: number) {
  let raw = start;
  const now = steady(() => raw);
  return (set: number) => {
    raw = set;
    return now();
  };
}

describe('A steady clock', () => {
  test('is the clock it reads while that goes forward', () => {
    const at = overSet(12.25);
    expect([at(12.25), at(12.25), at(4000.1), at(9e15)]).toEqual([12.25, 12.25, 4000.1, 9e15]);
  });

  test('goes on from where it was when the clock steps back, as it does when timers are faked', () => {
    const at = overSet(3_600_000);
    expect([at(3_600_500), at(0), at(0), at(250)]).toEqual([3_600_500, 3_600_500, 3_600_500, 3_600_750]);
  });

  test('has passed as much as the clock when that returns, or as much as it had passed by then', () => {
    const short = overSet(3_600_000);
    expect([short(0), short(100), short(3_602_000), short(3_602_001)]).toEqual([
      3_600_000, 3_600_100, 3_602_000, 3_602_001,
    ]);
    const long = overSet(3_600_000);
    expect([long(0), long(60_000), long(3_602_000), long(3_602_001)]).toEqual([
      3_600_000, 3_660_000, 3_660_000, 3_660_001,
    ]);
  });

  test('knows the clock again after it stepped back more than once', () => {
    const at = overSet(3_600_000);
    expect([at(0), at(500), at(0), at(400), at(3_601_000)]).toEqual([
      3_600_000, 3_600_500, 3_600_500, 3_600_900, 3_601_000,
    ]);
  });

  test('loses little when time that was faked passes the point where it stepped back', () => {
    const at = overSet(1000);
    expect([at(0), at(999), at(1001), at(1002), at(5000)]).toEqual([1000, 1999, 1999, 2000, 5998]);
  });

  const steps = fc.array(
    fc.record({ realMs: fc.nat(5000), fakeMs: fc.nat(5000), fakes: fc.boolean(), reals: fc.boolean() }),
  );
  /** Runs through phases of real and of faked time; `mostMs` says how far the clock may go in a step of faked time. */
  const holds = (start: fc.Arbitrary<number>, mostMs: (realMs: number, fakeMs: number) => number) =>
    fc.property(start, steps, (startAt, moves) => {
      let real = startAt;
      let fake: number | undefined;
      let most = startAt;
      const at = overSet(real);
      for (const { realMs, fakeMs, fakes, reals } of moves) {
        if (reals) fake = undefined;
        // A fake clock starts at 0, also when there is one already.
        else if (fakes) fake = 0;
        const before = at(fake ?? real);
        real += realMs;
        most += fake === undefined ? realMs : mostMs(realMs, fakeMs);
        if (fake !== undefined) fake += fakeMs;
        const now = at(fake ?? real);
        expect(now).toBeGreaterThanOrEqual(before);
        expect(now).toBeLessThanOrEqual(most);
      }
    });

  test('property: it never goes back, and no jump between two clocks moves it forward', () => {
    fc.assert(holds(fc.integer({ min: 1e7, max: 1e9 }), Math.max));
  });

  test('property: where a faked clock passes the real one, it counts the time of both at most', () => {
    fc.assert(holds(fc.nat(20_000), (realMs, fakeMs) => realMs + fakeMs));
  });
});

describe('A stopwatch', () => {
  function started() {
    let mono = 5000;
    let wall = 1_700_000_000_000;
    const elapsedMs = stopwatch({ now: () => mono, wallNow: () => wall });
    return (monoMs: number, wallMs: number) => {
      mono += monoMs;
      wall += wallMs;
      return elapsedMs();
    };
  }

  test('counts the time in which the machine was suspended, and the monotonic clock stood still', () => {
    const pass = started();
    expect([pass(0, 0), pass(10, 10), pass(0, 60_000)]).toEqual([0, 10, 60_010]);
  });

  test('is not moved by a wall clock that is set back', () => {
    const pass = started();
    expect([pass(10, 10), pass(10, -3_600_000), pass(10, 10)]).toEqual([10, 20, 30]);
  });
});
