import { expect, test } from 'vitest';
import { MISTAKES, PROMISES } from './mistakes.ts';
import { staleRows } from './stale-rows.ts';

// A row that no longer fits is mended in test/mutation/mistakes.ts: its text has to stand once in its file.
test('each deliberate mistake can still be made, and its tests are there', () => {
  expect(staleRows(MISTAKES)).toEqual([]);
});

test.each(PROMISES)('ten mistakes or more are made against the promise: %s', (promise) => {
  const own = MISTAKES.filter((one) => one.promise === promise).map(({ what }) => what);
  expect(own.length).toBeGreaterThanOrEqual(10);
  expect(new Set(own).size).toBe(own.length);
});
