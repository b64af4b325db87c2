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
    params: Readonly<Record<string, number>>,
  ) => { readonly status: string; readonly complexity?: { readonly type: string } };
};

/** Few and short attacks, which find the same as recheck's defaults in a tenth of the time. */
const QUICK = {
  maxIteration: 0,
  maxInitialGenerationSize: 30,
  maxGenerationSize: 10,
  incubationLimit: 5_000,
  attackLimit: 3_000_000,
  maxAttackStringSize: 10_000,
  maxNFASize: 2_000,
};

/** The verdict of recheck about a pattern: `safe`, `exponential`, `polynomial` or `unknown`. The timeout only finds hanging. */
function verdictOf(pattern: string): string {
  const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(pattern) ?? [];
  const { status, complexity } = checkSync(source, flags, { timeout: 240_000, ...(isFull ? {} : QUICK) });
  return status === 'vulnerable' ? (complexity?.type ?? status) : status;
}

/** Whether a pattern repeats a group without a bound: no other takes exponential time. */
const repeatsGroup = (pattern: string) => /\)(?:[*+]|\{\d*,\})/.test(pattern);

// The first is one that the logger had; recheck judges the others by attacks.
test.each([
  String.raw`/^(\.?[a-z_]\w*|\.?\*|\[\d+\])+$/i`,
  String.raw`/^(\/?([\w.~-]|%(?!2f)[0-9a-f]{2})+)+$/i`,
  String.raw`/^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.?)+[a-z]$/i`,
])('recheck finds an exponential pattern: %s', (pattern) => {
  expect([repeatsGroup(pattern), verdictOf(pattern)]).toEqual([true, 'exponential']);
});

test('no pattern of the sources takes exponential time', () => {
  const repeating = [...patternsIn(ts)].filter(([pattern]) => repeatsGroup(pattern));
  expect(repeating).not.toEqual([]);
  const faults = repeating.flatMap(([pattern, path]) => {
    const verdict = verdictOf(pattern);
    return ['safe', 'polynomial'].includes(verdict) ? [] : [`${path}: ${pattern} is ${verdict}`];
  });
  expect(faults).toEqual([]);
});
