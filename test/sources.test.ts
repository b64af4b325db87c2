import { expect, test } from 'vitest';
import { sourcesOf, sourceText } from './support/sources.ts';

test('no source file names a private member of a library', () => {
  const sources = sourcesOf('.');
  expect(sources).not.toEqual([]);
  const naming = sources.filter(({ path }) =>
    /[\w\])]\??\._[a-z]/i.test(sourceText(path).replace(/'[^']*'/g, '')),
  );
  expect(naming).toEqual([]);
});
