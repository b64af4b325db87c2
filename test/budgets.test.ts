import { describe, expect, test } from 'vitest';
import { LINE_BUDGETS, sizeOf, sourcesOf, sourceText } from './support/budgets.ts';

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

/** The lines of code between the braces of each method that calls an endpoint, by file and name. */
function methodLines(): (readonly [name: string, lines: number])[] {
  const found: (readonly [string, number])[] = [];
  for (const { path } of sourcesOf('resources')) {
    const text = sourceText(path).replace(/^ *(\/\*\*|\*|\/\/).*\n/gm, '');
    for (const [, name = '', body = ''] of text.matchAll(/^ {2}(?:async )?(\w+)\(.*?\{\n([^]*?)^ {2}\}$/gm)) {
      if (/this\.(call|pages)\(/.test(body))
        found.push([`${path} ${name}`, body.trimEnd().split('\n').length]);
    }
  }
  return found;
}

test('a method that calls an endpoint is at most six lines of code', () => {
  const methods = methodLines();
  expect(methods.length).toBeGreaterThan(20);
  const long = methods.filter(([, lines]) => lines > 6);
  expect(long).toEqual([]);
});
