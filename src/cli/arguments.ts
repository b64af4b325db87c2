import { parseArgs } from 'node:util';
import { CONTROL_TOKEN, HOST, isControlToken, ORIGIN, TOKEN } from '../testing/arguments/rules.ts';
import { isHost } from '../testing/http/allowed-hosts.ts';
import { isHeaderName, isOrigin } from '../testing/http/cors.ts';
import { isToken } from '../testing/tokens.ts';
import type {
  EmulatorAnswers,
  EmulatorCors,
  EmulatorListenOptions,
  EmulatorLimits,
  EmulatorOptions,
  EmulatorPool,
  EmulatorWindowKind,
} from '../testing/index.ts';
import type { JournalPlace } from './journal-databases.ts';
import type { JournalCommand } from './journal.ts';

/** The command, as read from the command line. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'emulator';
      readonly options: EmulatorOptions;
      readonly listen: EmulatorListenOptions & { readonly port: number };
      /** Whether it ends with its standard input. */
      readonly untilInputEnds: boolean;
    }
  | JournalCommand;

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
  'templatesList',
  'templatesCreate',
];

export const USAGE = `Usage: email-platform emulator [options]
       email-platform journal status|settle|schema --sqlite <file>|--postgres <url> [options]

emulator: runs an emulator of the service on this machine, for development and tests.

  --port <number>            the port to listen on at 127.0.0.1 (default 4010; 0 picks a free port)
  --seed <demo|empty>        the initial data (default demo)
  --limit <pool>=<n>/<ms>    the rate limit of a pool, such as token=20/10000, or <pool>=off; can be repeated.
                             Pools: ${POOLS.join(', ')}
  --no-limits                turn off all rate limits
  --window <kind>            how rate-limit windows behave: aligned (default), fixed or sliding
  --answers <kind>           the form of refusals of which the service is known to have two: specified (default) or recorded
  --token <token>            the API token: letters, digits and . _ + / = - (default: a new random one at each start).
                             Other users of this machine can see it in the list of its processes
  --allow-host <host>        another host name that requests may be for, such as that of a reverse proxy, besides
                             localhost and the loopback addresses; can be repeated
  --cors <origin>            the origin of browser pages that may call the emulator, such as http://localhost:5173;
                             can be repeated (default none)
  --expose <headers>         the response headers that those pages may read, separated by commas (default none)
  --control                  let other programs steer the emulator: mails, clock, failures, at /_emulator
  --control-token <token>    the token for that: at least 16 letters, digits and . _ + / = - (default: a new random one at
                             each start). Other users of this machine can see it in the list of its processes
  --until-stdin-closes       end when the standard input is closed, as when the program that started this one is gone

journal: the keys of sends, in a database.

  status                     list the keys that are open: their emails may have been sent, and nobody knows
  settle                     look for them in the email log, and record which emails it has. It sends nothing. The client
                             is made from the environment: EMAIL_PLATFORM_TOKEN, and the others
  schema                     print the statements that create the table
  --sqlite <file>            the database is a file; needs Node 22.13 or later, or better-sqlite3
  --postgres <url>           the database is a server, such as postgres://mail@localhost/mail; needs pg. Other users of this
                             machine can see the URL in the list of its processes: PGPASSWORD can have the password
  --namespace <name>         the namespace of the keys (default default)
  --variable <name>          the custom variable that carries the key (default idempotency_key)

  --help, -h                 show this text
  --version, -v              show the version
`;

const EMULATOR = {
  port: { type: 'string' },
  seed: { type: 'string' },
  limit: { type: 'string', multiple: true },
  'no-limits': { type: 'boolean' },
  window: { type: 'string' },
  answers: { type: 'string' },
  token: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  cors: { type: 'string', multiple: true },
  expose: { type: 'string' },
  control: { type: 'boolean' },
  'control-token': { type: 'string' },
  'until-stdin-closes': { type: 'boolean' },
} as const;

const JOURNAL = {
  sqlite: { type: 'string' },
  postgres: { type: 'string' },
  namespace: { type: 'string' },
  variable: { type: 'string' },
} as const;

const OPTIONS = {
  ...EMULATOR,
  ...JOURNAL,
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

type Values = ReturnType<typeof parse>['values'];

/** Reads the arguments that follow the name of the program. */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  const [command, ...words] = positionals;
  if (command === undefined) throw new UsageError(`A command is missing. There are: ${COMMANDS}`);
  if (command === 'emulator') return emulatorOf(words, values);
  if (command === 'journal') return journalOf(words, values);
  throw new UsageError(`Unknown command "${command}". There are: ${COMMANDS}`);
}

const COMMANDS = 'emulator, journal';

function emulatorOf([surplus]: readonly string[], values: Values): Command {
  if (surplus !== undefined) throw new UsageError(`Unexpected argument "${surplus}"`);
  refuseOthers('emulator', values, EMULATOR);
  return {
    kind: 'emulator',
    untilInputEnds: values['until-stdin-closes'] === true,
    listen: {
      port: portOf(values.port ?? '4010'),
      allowedHosts: (values['allow-host'] ?? []).map((host) => checked('allow-host', host, isHost, HOST)),
      cors: corsOf(values.cors ?? [], headersOf(values.expose ?? '')),
      ...controlOf(values.control === true, values['control-token']),
    },
    options: {
      ...(values.token === undefined ? {} : { token: tokenOf(values.token) }),
      seed: oneOf('seed', values.seed ?? 'demo', ['demo', 'empty']),
      window: oneOf<EmulatorWindowKind>('window', values.window ?? 'aligned', [
        'aligned',
        'fixed',
        'sliding',
      ]),
      answers: oneOf<EmulatorAnswers>('answers', values.answers ?? 'specified', ['specified', 'recorded']),
      limits: values['no-limits'] === true ? false : limitsOf(values.limit ?? []),
    },
  };
}

function journalOf([action, surplus]: readonly string[], values: Values): JournalCommand {
  if (surplus !== undefined) throw new UsageError(`Unexpected argument "${surplus}"`);
  const known = (['status', 'settle', 'schema'] as const).find((one) => one === action);
  if (known === undefined)
    throw new UsageError(
      `journal needs one of status, settle, schema, not ${action ? `"${action}"` : 'nothing'}`,
    );
  refuseOthers('journal', values, JOURNAL);
  const { namespace, variable } = values;
  return { kind: 'journal', action: known, place: placeOf(values), namespace, variable };
}

function placeOf({ sqlite, postgres }: Values): JournalPlace {
  if (sqlite !== undefined && postgres === undefined) return { kind: 'sqlite', at: sqlite };
  if (postgres !== undefined && sqlite === undefined) return { kind: 'postgres', at: postgres };
  throw new UsageError('journal needs either --sqlite <file> or --postgres <url>');
}

/** Refuses the options of other commands. */
function refuseOthers(command: string, values: Values, own: object): void {
  const other = Object.keys(values).find((name) => !(name in own));
  if (other !== undefined) throw new UsageError(`Unknown option '--${other}' of ${command}`);
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

function tokenOf(given: string): string {
  // The message does not repeat it: it may be a real token with something added.
  if (!isToken(given)) throw new UsageError(`--token must be ${TOKEN}`);
  return given;
}

function controlOf(isOn: boolean, token: string | undefined): Pick<EmulatorListenOptions, 'control'> {
  if (token === undefined) return isOn ? { control: true } : {};
  if (!isOn) throw new UsageError('--control-token has no effect without --control');
  if (!isControlToken(token)) throw new UsageError(`--control-token must be ${CONTROL_TOKEN}`);
  return { control: { token } };
}

function corsOf(given: readonly string[], expose: readonly string[]): EmulatorCors {
  const origins = given.map((origin) => checked('cors', origin, isOrigin, ORIGIN));
  if (origins.length === 0 && expose.length > 0)
    throw new UsageError('--expose has no effect without --cors: it is for pages of those origins');
  return { origins, expose };
}

function headersOf(given: string): string[] {
  const names = given.split(',').flatMap((name) => name.trim() || []);
  return names.map((name) => checked('expose', name, isHeaderName, 'names of headers'));
}

function checked(option: string, given: string, isValid: (text: string) => boolean, what: string): string {
  if (!isValid(given)) throw new UsageError(`--${option} must be ${what}, not "${given}"`);
  return given;
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
