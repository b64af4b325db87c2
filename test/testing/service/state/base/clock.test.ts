import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';
import { State } from '../../../../../src/testing/service/state/base/state.ts';
import { VirtualClock } from '../../../../../src/testing/service/state/base/clock.ts';

const START = Date.parse('2026-01-31T12:00:00.000Z');

test('a paused clock stands still, can be advanced, and goes on from the time that it shows', () => {
  let real = START;
  const { clock } = createEmulator({ now: () => real });
  clock.pause();
  real += 1_000;
  clock.pause();
  expect([clock.isPaused, clock.now()]).toEqual([true, START]);
  clock.advance(5_000);
  real += 1_000;
  clock.resume();
  expect([clock.isPaused, clock.now()]).toEqual([false, START + 5_000]);
  real += 70;
  clock.resume();
  expect(clock.now()).toBe(START + 5_070);
});

test('a clock is set to a time from its own on, and goes on from there', () => {
  let real = START;
  const { clock } = createEmulator({ now: () => real });
  clock.set(START);
  clock.set(START + 3_600_000);
  real += 70;
  expect(() => clock.set(START + 3_600_069)).toThrow(RangeError);
  expect(clock.now()).toBe(START + 3_600_070);
});

test('events happen in order, each at its own time; those of one time in the order of planning', () => {
  const clock = new VirtualClock(() => START, new State());
  const happened: unknown[] = [];
  clock.on('event', (name: string, at) => {
    happened.push([name, at - START]);
    // An event may lead to another one, which is due on the way.
    if (name === 'first') clock.plan(at + 5, 'event', 'caused');
  });
  for (const [name, after] of Object.entries({ last: 20, first: 10, second: 10, never: Infinity }))
    clock.plan(START + after, 'event', name);
  clock.advance(9);
  expect(happened).toEqual([]);
  clock.advance(1);
  const both = [
    ['first', 10],
    ['second', 10],
  ];
  expect(happened).toEqual(both);
  clock.advance(1_000);
  expect(happened).toEqual([...both, ['caused', 15], ['last', 20]]);
  expect(clock.nextOf(['event'])).toBeUndefined();
});

test('what waits for the clock in real time begins again after each pause', () => {
  const clock = new VirtualClock(() => START, new State());
  let times = 0;
  clock.onResume(() => (times += 1));
  clock.resume();
  expect(times).toBe(0);
  clock.pause();
  clock.resume();
  expect(times).toBe(1);
});
