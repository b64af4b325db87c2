import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const promises = (
  readFileSync(join(root, 'docs/security.md'), 'utf8').split('## Limits of the promises')[0] ?? ''
)
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:-+|promise) +\|/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, sentence = '', shownBy = '']) => ({
    sentence,
    files: [...shownBy.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => path),
  }));

test('each promise of security.md names its test, and each test is there', () => {
  expect(promises.length).toBeGreaterThan(50);
  expect(promises.filter(({ files }) => files.length === 0)).toEqual([]);
  const without = promises.flatMap(({ sentence, files }) =>
    files.filter((path) => !existsSync(join(root, path))).map((path) => `${path}: ${sentence}`),
  );
  expect(without).toEqual([]);
});

test('no promise of security.md stands there twice', () => {
  expect(new Set(promises.map(({ sentence }) => sentence)).size).toBe(promises.length);
});
