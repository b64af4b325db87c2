import { parseArgs } from 'node:util';
import { isHeaderName } from '../testing/cors.ts';
import type { EmulatorLimits, EmulatorOptions, EmulatorPool, EmulatorWindowKind } from '../testing/index.ts';

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'emulator'; readonly port: number; readonly options: EmulatorOptions };

/** The command line is invalid. The message says what is wrong with it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const POOLS: readonly EmulatorPool[] = [
  'token',
  'contacts',
  'stats',
  'suppressions',
  'emailLogsList',
  'emailLogsGet',
];

export const USAGE = `Usage: email-platform emulator [options]

Runs an emulator of the service on this machine, for development and tests.

Options:
  --port <number>            the port to listen on at 127.0.0.1 (default 4010; 0 picks a free port)
  --seed <demo|empty>        the initial data (default demo)
  --limit <pool>=<n>/<ms>    the rate limit of a pool, such as token=20/10000, or <pool>=off; can be repeated.
                             Pools: ${POOLS.join(', ')}
  --no-limits                turn off all rate limits
  --window <kind>            how rate-limit windows behave: aligned (default), fixed or sliding
  --expose <headers>         the response headers that a browser page may read, separated by commas (default none)
  --help, -h                 show this text
  --version, -v              show the version
`;

const OPTIONS = {
  port: { type: 'string' },
  seed: { type: 'string' },
  limit: { type: 'string', multiple: true },
  'no-limits': { type: 'boolean' },
  window: { type: 'string' },
  expose: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Reads the arguments that follow the name of the program. */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  const [command, surplus] = positionals;
  if (command === undefined) throw new UsageError('A command is missing. There is one: emulator');
  if (command !== 'emulator') throw new UsageError(`Unknown command "${command}". There is one: emulator`);
  if (surplus !== undefined) throw new UsageError(`Unexpected argument "${surplus}"`);
  return {
    kind: 'emulator',
    port: portOf(values.port ?? '4010'),
    options: {
      seed: oneOf('seed', values.seed ?? 'demo', ['demo', 'empty']),
      window: oneOf<EmulatorWindowKind>('window', values.window ?? 'aligned', [
        'aligned',
        'fixed',
        'sliding',
      ]),
      limits: values['no-limits'] === true ? false : limitsOf(values.limit ?? []),
      cors: { expose: headersOf(values.expose ?? '') },
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // Node's hint about "--" would mislead: no argument here can start with a dash.
    throw new UsageError(
      error instanceof Error ? error.message.replace(/\. To specify.*$/s, '') : String(error),
    );
  }
}

function portOf(given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError(`--port must be a number from 0 to 65535, not "${given}"`);
}

function headersOf(given: string): string[] {
  const names = given.split(',').flatMap((name) => name.trim() || []);
  const wrong = names.find((name) => !isHeaderName(name));
  if (wrong !== undefined) throw new UsageError(`--expose must be names of headers, not "${wrong}"`);
  return names;
}

function oneOf<T extends string>(option: string, given: string, values: readonly T[]): T {
  const value = values.find((one) => one === given);
  if (value !== undefined) return value;
  throw new UsageError(`--${option} must be one of ${values.join(', ')}, not "${given}"`);
}

function limitsOf(given: readonly string[]): EmulatorLimits {
  const limits: EmulatorLimits = {};
  for (const text of given) {
    const [, pool, requests, perMs] = /^(\w+)=(?:off|([1-9]\d{0,11})\/([1-9]\d{0,11}))$/.exec(text) ?? [];
    if (pool === undefined)
      throw new UsageError(`--limit must look like token=150/10000 or token=off, not "${text}"`);
    const limit = requests === undefined ? false : { requests: Number(requests), perMs: Number(perMs) };
    limits[oneOf('limit', pool, POOLS)] = limit;
  }
  return limits;
}
