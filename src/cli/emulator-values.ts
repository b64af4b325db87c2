/** Reads the values of options that only the emulator has. */
import { isHeaderName } from '../testing/common/cors.ts';
import type { Emulator } from '../testing/index.ts';
import { InvalidValue } from './command.ts';
import { oneOf, textThat } from './values.ts';

export const POOLS: readonly Emulator.Pool[] = [
  'token',
  'contacts',
  'stats',
  'suppressions',
  'emailLogsList',
  'emailLogsGet',
  'templatesList',
  'templatesCreate',
  'subAccountsDelete',
];

/** The limit of one pool, such as `token=20/10000`. */
export function limitOf(input: string): Emulator.Limits {
  const [, pool, requests, perMs] = /^(\w+)=(?:off|([1-9]\d{0,11})\/([1-9]\d{0,11}))$/.exec(input) ?? [];
  if (pool === undefined)
    throw new InvalidValue(`--limit must look like token=150/10000 or token=off, not "${input}"`);
  const limit = requests === undefined ? false : { requests: Number(requests), perMs: Number(perMs) };
  return { [oneOf('--limit', POOLS)(pool)]: limit };
}

const headerOf = textThat('--expose', isHeaderName, 'names of headers');

/** Names of headers, separated by commas. */
export const headersOf = (input: string): readonly string[] =>
  input.split(',').flatMap((name) => (name.trim() === '' ? [] : headerOf(name.trim())));
