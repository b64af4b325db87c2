import { expect, test } from 'vitest';
import { effectOfStatus, effectOfUnreadable } from '../../src/core/effect.ts';

test.each([
  [301, 'unknown'],
  [399, 'unknown'],
  [400, 'none'],
  [407, 'none'],
  [408, 'unknown'],
  [409, 'none'],
  [499, 'none'],
  [500, 'unknown'],
  [501, 'none'],
  [502, 'unknown'],
  [0, 'unknown'],
])('after a %i the effect is %s', (status, effect) => {
  expect(effectOfStatus(status)).toBe(effect);
});

test('after a response that cannot be read, only a GET has no effect', () => {
  expect(effectOfUnreadable('GET')).toBe('none');
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
    expect(effectOfUnreadable(method)).toBe('unknown');
});
