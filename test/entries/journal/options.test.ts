import { createJournal, type JournalOptions } from 'email-platform/journal';
import { expect, test } from 'vitest';
import { MemoryStore } from './memory-store.ts';

const store = new MemoryStore();

test.each<JournalOptions>([
  {},
  { namespace: undefined, variable: undefined, onUnknown: undefined, settleAfterMs: undefined },
  { namespace: 'n' },
  { namespace: 'ö '.repeat(127) },
  { variable: 'a' },
  { variable: 'A-z_0.9'.repeat(14) },
  { onUnknown: 'report' },
  { onUnknown: 'resend' },
  { settleAfterMs: 0 },
  { settleAfterMs: 0.5 },
])('%j makes a journal that has them', (options) => {
  const defaults = {
    namespace: 'default',
    variable: 'idempotency_key',
    onUnknown: 'report',
    settleAfterMs: 300_000,
  };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  expect(createJournal(store, options)).toMatchObject({ ...defaults, ...given });
});

const NAMES = '1 to 255 characters without control characters';
const VARIABLES = '1 to 100 letters, digits and -_.';
const TIMES = 'a number of milliseconds, 0 or more';

test.each<[keyof JournalOptions, unknown, string]>([
  ['namespace', '', NAMES],
  ['namespace', 'a\n', NAMES],
  ['namespace', '\na', NAMES],
  ['namespace', 'a\ud800', NAMES],
  ['namespace', 'a'.repeat(256), NAMES],
  ['namespace', 7, NAMES],
  ['namespace', ['a'], NAMES],
  ['variable', '', VARIABLES],
  ['variable', ' a', VARIABLES],
  ['variable', 'a ', VARIABLES],
  ['variable', 'ä', VARIABLES],
  ['variable', 'a'.repeat(101), VARIABLES],
  ['variable', 7, VARIABLES],
  ['variable', ['a'], VARIABLES],
  ['onUnknown', 'retry', "one of 'report', 'resend'"],
  ['settleAfterMs', -1, TIMES],
  ['settleAfterMs', NaN, TIMES],
  ['settleAfterMs', Infinity, TIMES],
  ['settleAfterMs', '5', TIMES],
])('%s %j is refused', (option, value, rule) => {
  expect(() => createJournal(store, { [option]: value })).toThrow(`${option} must be ${rule}`);
});

test('an unknown option is refused, and so is a value that is not an object of options', () => {
  expect(() => createJournal(store, { settleAfter: 1 } as JournalOptions)).toThrow(
    'settleAfter is not a known field; did you mean',
  );
  expect(() => createJournal(store, 'default' as JournalOptions)).toThrow('options must be an object');
});
