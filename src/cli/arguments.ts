import { parseArgs } from 'node:util';
import type { EmulatorLimits, EmulatorOptions, EmulatorPool, EmulatorWindowKind } from '../testing/index.ts';

/** What the command line asks for. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'emulator'; readonly port: number; readonly options: EmulatorOptions };

/** The command line cannot be understood; the message says how it could be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `Usage: email-platform emulator [options]

Runs the service on this machine, for development and tests.

Options:
  --port <number>            where to listen on 127.0.0.1 (default 4010; 0 finds a free port)
  --seed <demo|empty>        what it holds to begin with (default demo)
  --limit <pool>=<n>/<ms>    a rate limit of its own, such as token=20/10000 (repeatable); <pool>=off for none.
                             Pools: token, contacts, stats, suppressions, emailLogsList, emailLogsGet
  --no-limits                no rate limits at all
  --window <kind>            how a limit's window behaves: aligned (default), fixed or sliding
  --expose <headers>         response headers a browser page may read, with commas between them (default none)
  --help                     this text
  --version                  the version
`;

const options = {
  port: { type: 'string' },
  seed: { type: 'string' },
  limit: { type: 'string', multiple: true },
  'no-limits': { type: 'boolean' },
  window: { type: 'string' },
  expose: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

const pools: readonly string[] = [
  'token',
  'contacts',
  'stats',
  'suppressions',
  'emailLogsList',
  'emailLogsGet',
] satisfies EmulatorPool[];

/** Reads the words after the program's name. */
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
      cors: { expose: (values.expose ?? '').split(',').flatMap((name) => name.trim() || []) },
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Node's advice about a lone "--" would mislead: there is nothing here that could follow it.
    throw new UsageError(
      error instanceof Error ? error.message.replace(/\. To specify.*$/s, '') : String(error),
    );
  }
}

function portOf(given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError(`--port must be a number from 0 to 65535, not "${given}"`);
}

function oneOf<T extends string>(option: string, given: string, values: readonly T[]): T {
  const value = values.find((one) => one === given);
  if (value !== undefined) return value;
  throw new UsageError(`--${option} must be one of ${values.join(', ')}, not "${given}"`);
}

function limitsOf(given: readonly string[]): EmulatorLimits {
  const limits: EmulatorLimits = {};
  for (const text of given) {
    const [, pool, requests, perMs] = /^(\w+)=(?:off|([1-9]\d*)\/([1-9]\d*))$/.exec(text) ?? [];
    if (pool === undefined)
      throw new UsageError(`--limit must look like token=150/10000 or token=off, not "${text}"`);
    const limit = requests === undefined ? false : { requests: Number(requests), perMs: Number(perMs) };
    limits[oneOf('limit', pool, pools) as EmulatorPool] = limit;
  }
  return limits;
}
