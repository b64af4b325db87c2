import { createRequire } from 'node:module';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { isFull } from './support/extent.ts';
import { patternsIn } from './support/patterns.ts';

/** The build in JavaScript, which needs no further program. */
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as {
  readonly checkSync: (
    source: string,
    flags: string,
    params: { readonly timeout: number },
  ) => { readonly status: string; readonly complexity?: { readonly type: string } };
};

/** What recheck says of a pattern: `safe`, `exponential`, `polynomial` or `unknown`. */
function verdictOf(pattern: string, timeout: number): string {
  const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(pattern) ?? [];
  const { status, complexity } = checkSync(source, flags, { timeout });
  return status === 'vulnerable' ? (complexity?.type ?? status) : status;
}

/** Whether a pattern repeats a group without a bound: no other takes exponential time. */
const repeatsGroup = (pattern: string) => /\)(?:[*+]|\{\d*,\})/.test(pattern);

test('recheck finds an exponential pattern, such as the one that the logger had', () => {
  const pattern = String.raw`/^(\.?[a-z_]\w*|\.?\*|\[\d+\])+$/i`;
  expect([repeatsGroup(pattern), verdictOf(pattern, 20_000)]).toEqual([true, 'exponential']);
});

test('no pattern of the sources takes exponential time', () => {
  const repeating = [...patternsIn(ts)].filter(([pattern]) => repeatsGroup(pattern));
  expect(repeating).not.toEqual([]);
  // What a second does not decide is decided in full.
  const passing = ['safe', 'polynomial', ...(isFull ? [] : ['unknown'])];
  const faults = repeating.flatMap(([pattern, path]) => {
    const verdict = verdictOf(pattern, isFull ? 240_000 : 1_000);
    return passing.includes(verdict) ? [] : [`${path}: ${pattern} is ${verdict}`];
  });
  expect(faults).toEqual([]);
});
