/** Reads what only the emulator's options take. */
import { isHeaderName } from '../testing/http/cors.ts';
import type { EmulatorLimits, EmulatorPool } from '../testing/index.ts';
import { InvalidValue } from './command.ts';
import { oneOf, textThat } from './values.ts';

export const POOLS: readonly EmulatorPool[] = [
  'token',
  'contacts',
  'stats',
  'suppressions',
  'emailLogsList',
  'emailLogsGet',
  'templatesList',
  'templatesCreate',
];

/** The limit of one pool, such as `token=20/10000`. */
export function limitOf(given: string): EmulatorLimits {
  const [, pool, requests, perMs] = /^(\w+)=(?:off|([1-9]\d{0,11})\/([1-9]\d{0,11}))$/.exec(given) ?? [];
  if (pool === undefined)
    throw new InvalidValue(`--limit must look like token=150/10000 or token=off, not "${given}"`);
  const limit = requests === undefined ? false : { requests: Number(requests), perMs: Number(perMs) };
  return { [oneOf('--limit', POOLS)(pool)]: limit };
}

const headerOf = textThat('--expose', isHeaderName, 'names of headers');

/** Names of headers, separated by commas. */
export const headersOf = (given: string): readonly string[] =>
  given.split(',').flatMap((name) => (name.trim() === '' ? [] : headerOf(name.trim())));
