import { expect, test } from 'vitest';
import { late } from '../../src/kit/late.ts';

test('a late value is made at its first use, and only once', () => {
  let made = 0;
  const value = late(() => ({ number: (made += 1) }));
  expect(made).toBe(0);
  expect(value()).toBe(value());
  expect(made).toBe(1);
});

test('a late value that is undefined is made once, too', () => {
  let made = 0;
  const value = late(() => void (made += 1));
  value();
  value();
  expect(made).toBe(1);
});

test('a value that cannot be made is tried again at its next use', () => {
  let tries = 0;
  const value = late(() => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return tries;
  });
  expect(value).toThrow('not yet');
  expect(value()).toBe(2);
});
