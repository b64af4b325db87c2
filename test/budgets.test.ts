import { describe, expect, test } from 'vitest';
import { endpointMethods, LINE_BUDGETS, sizeOf, sourcesOf, sourceText } from './support/budgets.ts';

describe('the sources stay within their budgets', () => {
  test.each(LINE_BUDGETS.map((budget) => [budget.folders.join(' + '), budget] as const))(
    '%s',
    (_, budget) => {
      const { lines, files } = sizeOf(budget);
      expect(lines, budget.why).toBeLessThanOrEqual(budget.lines);
      expect(files, budget.why).toBeLessThanOrEqual(budget.files ?? Infinity);
      // A budget of an empty or renamed folder would prove nothing.
      expect(lines).toBeGreaterThan(budget.lines / 4);
    },
  );

  test('no file is longer than one can read at once', () => {
    expect(sourcesOf('.').filter(({ lines }) => lines > 300)).toEqual([]);
  });
});

test('no source file names a private member of a library', () => {
  const naming = sourcesOf('.').filter(({ path }) =>
    /[\w\])]\??\._[a-z]/i.test(sourceText(path).replace(/'[^']*'/g, '')),
  );
  expect(naming).toEqual([]);
});

test('a method that calls an endpoint is at most six lines of code', () => {
  const methods = endpointMethods();
  expect(methods.length).toBeGreaterThan(20);
  const long = methods.filter(({ body }) => body.split('\n').length > 6);
  expect(long.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
});
