import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { titlesIn } from '../support/titles.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** A promise: a sentence, then the title of a test that shows it, and perhaps further files, or a program that does. */
const PROMISE = /^- (.+?\.) `(test\/[^`]+)`(?:: “([^”]+)”|, run by `npm run ([^`]+)`)(?:; also (.+))?$/;

const lines = read('docs/trust/promises.md')
  .split(/\n(?=- )|\n\n/)
  .filter((line) => line.startsWith('- '))
  .map((line) => line.replace(/\s+/g, ' ').trim());
const promises = lines.flatMap((line) => {
  const [, sentence, file, title, script, also = ''] = PROMISE.exec(line) ?? [];
  if (sentence === undefined || file === undefined) return [];
  return [
    { sentence, file, title, script, files: [file, ...also.replace(/`/g, '').split(', ')].filter(Boolean) },
  ];
});

test('each promise is a sentence that names a test, and each test is there', () => {
  expect(lines.filter((line) => !PROMISE.test(line))).toEqual([]);
  expect(promises).not.toEqual([]);
  const without = promises.flatMap(({ sentence, files }) =>
    files.filter((path) => !existsSync(join(root, path))).map((path) => `${path}: ${sentence}`),
  );
  expect(without).toEqual([]);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const untitled = promises.filter(({ file, title, script }) =>
    script === undefined
      ? !titlesIn(read(file)).some((one) => one.includes(title ?? '?'))
      : !Object.hasOwn(scripts, script),
  );
  expect(untitled).toEqual([]);
});

test('no promise is in the list twice', () => {
  expect(new Set(promises.map(({ sentence }) => sentence)).size).toBe(promises.length);
});

test('four guides name the same forms in which a token is found', () => {
  const forms = 'plain, percent-encoded, escaped as in JSON or HTML, or in base64 on one line';
  for (const guide of ['security', 'proxy', 'errors', 'trust/promises', 'decisions/hiding-secrets'])
    expect(read(`docs/${guide}.md`).replace(/\s+/g, ' '), guide).toContain(forms);
});
