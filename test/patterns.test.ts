import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
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

interface Judged {
  /** Patterns that recheck found to be linear: only in full are they checked again. */
  readonly linear: readonly string[];
  /** Patterns that take polynomial time, or that recheck cannot decide, each with the reason why this does no harm. */
  readonly reasons: Readonly<Record<string, string>>;
}

const judged = JSON.parse(readFileSync(join(import.meta.dirname, 'patterns.json'), 'utf8')) as Judged;
const patterns = patternsIn(ts);

/** What recheck says of a pattern: `safe`, `exponential`, `polynomial` or `unknown`. */
function verdictOf(pattern: string): string {
  const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(pattern) ?? [];
  const { status, complexity } = checkSync(source, flags, { timeout: 20_000 });
  return status === 'vulnerable' ? (complexity?.type ?? status) : status;
}

test('recheck finds an exponential pattern, such as the one that the logger had', () => {
  expect(patterns.size).toBeGreaterThan(300);
  expect(verdictOf(String.raw`/^(\.?[a-z_]\w*|\.?\*|\[\d+\])+$/i`)).toBe('exponential');
});

test('no pattern of the sources takes exponential time, and one that takes polynomial time has a reason', () => {
  const known = isFull ? new Set<string>() : new Set(judged.linear);
  const faults = [...patterns].flatMap(([pattern, path]) => {
    if (known.has(pattern) || Object.hasOwn(judged.reasons, pattern)) return [];
    const verdict = verdictOf(pattern);
    if (verdict !== 'safe') return [`${path}: ${pattern} is ${verdict}`];
    return isFull ? [] : [`${path}: ${pattern} is linear: list it in patterns.json`];
  });
  expect(faults).toEqual([]);
});

test('each listed pattern, and each reason, is about a pattern of the sources', () => {
  expect(judged.linear.filter((pattern) => !patterns.has(pattern))).toEqual([]);
  expect(Object.keys(judged.reasons).filter((pattern) => !patterns.has(pattern))).toEqual([]);
  expect(Object.values(judged.reasons).filter((reason) => reason.length < 20)).toEqual([]);
});
