import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { steady, stopwatch } from '../../src/core/steady-time.ts';

/** A steady clock over clocks that the test sets; by itself the wall clock stands still, as if it was not faked. */
function overSet(start: number) {
  let raw = start;
  let wall = 1_700_000_000_000;
  const now = steady({ now: () => raw, wallNow: () => wall });
  return (set: number, wallMs = 0) => {
    raw = set;
    wall += wallMs;
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

  test('loses nothing when faked time passes the point where it stepped back, and both clocks are faked', () => {
    const at = overSet(1000);
    expect([at(0), at(500, 500), at(1500, 1000), at(3_600_000, 3_598_500)]).toEqual([
      1000, 1500, 2500, 3_601_000,
    ]);
    // The real clocks come back after 2 seconds: later than where the first one was, earlier than the faked one.
    expect([at(3000, 2000 - 3_600_000), at(3001, 1), at(3_700_000, 3_696_999)]).toEqual([
      3_601_000, 3_601_001, 7_298_000,
    ]);
  });

  test('has passed as much as the real clock when that comes back, whether or not faked time passed it', () => {
    const at = overSet(1000);
    expect([at(0), at(1500, 1500), at(4000, 1500), at(4010, 10)]).toEqual([1000, 2500, 4000, 4010]);
  });

  test('loses little when only the monotonic clock is faked, and passes the point where it stepped back', () => {
    const at = overSet(1000);
    expect([at(0), at(999), at(1001), at(1002), at(5000)]).toEqual([1000, 1999, 1999, 2000, 5998]);
  });

  test('knows the clock again when it was faked anew at a later reading than where it was left', () => {
    const at = overSet(100);
    expect([at(0), at(101, 101), at(0), at(100, -101), at(150, 50)]).toEqual([100, 201, 201, 201, 251]);
  });

  const steps = fc.array(
    fc.record({ realMs: fc.nat(5000), fakeMs: fc.nat(5000), fakes: fc.boolean(), reals: fc.boolean() }),
  );
  const move = (realMs: number, fakeMs: number, becomes?: 'fake' | 'real') => ({
    realMs,
    fakeMs,
    fakes: becomes === 'fake',
    reals: becomes === 'real',
  });
  type Example = [startAt: number, moves: ReturnType<typeof move>[]];
  const examples: Example[] = [
    // Faked anew while it is faked, at a later reading than that of the first clock.
    [100, [move(0, 101, 'fake'), move(0, 0, 'fake'), move(0, 0, 'real')]],
    // Taken for the first clock when it passed that, and faked again when the first clock had gone further.
    [100, [move(0, 101, 'fake'), move(0, 0, 'real'), move(203, 0), move(0, 101, 'fake'), move(0, 0, 'real')]],
    // Taken for the first clock when it passed that, and faked anew.
    [5001, [move(0, 5000, 'fake'), move(0, 5000), move(0, 0, 'fake'), move(0, 0, 'real')]],
    // The first clock is back a millisecond after where the faked one was left.
    [101, [move(202, 0), move(1, 0), move(0, 303, 'fake'), move(0, 0, 'real')]],
  ];
  /** Runs through phases of real and of faked time, in which one clock or both are faked. */
  const holds = (
    isWallFaked: boolean,
    start: fc.Arbitrary<number>,
    mostMs: (realMs: number, fakeMs: number) => number,
  ) =>
    fc.property(start, steps, (startAt, moves) => {
      const realWall = 1_700_000_000_000;
      let real = startAt;
      let fake: number | undefined;
      let fakedAtWall = 0;
      let most = startAt;
      const wallNow = () => (fake === undefined || !isWallFaked ? realWall + real : fakedAtWall + fake);
      const at = steady({ now: () => fake ?? real, wallNow });
      for (const { realMs, fakeMs, fakes, reals } of moves) {
        const [rawBefore, wallBefore] = [fake ?? real, wallNow()];
        if (reals) fake = undefined;
        // A fake clock starts at 0, also when there is one already; the fake date starts at the date.
        else if (fakes) [fakedAtWall, fake] = [wallNow(), 0];
        // A jump that both clocks make alike, within their precision, cannot be told from time that passes.
        const jumpedMs = (fake ?? real) - rawBefore;
        if (Math.abs(jumpedMs - (wallNow() - wallBefore)) < 2) most += Math.max(0, jumpedMs);
        const before = at();
        real += realMs;
        most += fake === undefined ? realMs : mostMs(realMs, fakeMs);
        if (fake !== undefined) fake += fakeMs;
        const now = at();
        expect(now).toBeGreaterThanOrEqual(before);
        expect(now).toBeLessThanOrEqual(most);
      }
    });

  test.each([true, false])(
    'property: no jump between two clocks moves it, nor back; the date is faked: %s',
    (isWallFaked) => {
      fc.assert(holds(isWallFaked, fc.integer({ min: 1e7, max: 1e9 }), Math.max));
    },
  );

  test.each([true, false])(
    'property: where a faked clock passes the real one, it counts the time of both at most; the date is faked: %s',
    (isWallFaked) => {
      fc.assert(
        holds(isWallFaked, fc.integer({ min: 100, max: 20_000 }), (realMs, fakeMs) => realMs + fakeMs),
        { examples },
      );
    },
  );
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
