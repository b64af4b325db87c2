import { expect, test } from 'vitest';
import { Ticker } from '../../../../src/testing/report/page/live/ticker.ts';

function setUp() {
  const page = Object.assign(new EventTarget(), { hidden: false });
  const timers = new Set<() => void>();
  const ticker = new Ticker(page, (tick) => {
    timers.add(tick);
    return () => timers.delete(tick);
  });
  const show = (isShown: boolean) => {
    page.hidden = !isShown;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { ticker, timers, show, second: () => timers.forEach((tick) => tick()) };
}

test('one timer calls all listeners, and ends with the last of them', () => {
  const { ticker, timers, second } = setUp();
  const called: string[] = [];
  const removals = ['a', 'b'].map((name) => ticker.add(() => called.push(name)));
  expect(timers.size).toBe(1);
  second();
  removals[0]?.();
  second();
  expect(called).toEqual(['a', 'b', 'b']);
  removals[1]?.();
  expect(timers.size).toBe(0);
});

test('a hidden page has no timer, and is up to date as soon as it is visible', () => {
  const { ticker, timers, show } = setUp();
  let called = 0;
  ticker.add(() => (called += 1));
  show(false);
  ticker.add(() => (called += 10));
  expect([timers.size, called]).toEqual([0, 0]);
  show(true);
  expect([timers.size, called]).toEqual([1, 11]);
});
