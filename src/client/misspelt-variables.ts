/** Detects misspelt environment variables, which would otherwise be ignored without a message. */
import { nearest } from '../kit/did-you-mean.ts';
import { ConfigurationError } from '../core/errors.ts';
import { OTHER_VARIABLES } from '../core/other-names.ts';
import { rawVariable, variableNames } from '../core/platform.ts';
import { ignoringFailure } from '../core/tried.ts';
import {
  BASE_VARIABLE,
  DOMAIN_VARIABLE,
  RECIPIENTS_VARIABLE,
  REDIRECT_VARIABLE,
  VARIABLES,
} from '../core/variables.ts';
import { CONSOLE_LOGGER, LOG_LEVELS, type LogFields } from '../transport/logger.ts';
import type { EmailPlatformOptions } from './options.ts';

const PREFIX = 'EMAIL_PLATFORM_';
/** The variables of the guard: without them, an email reaches every recipient. */
const GUARDS: readonly string[] = [RECIPIENTS_VARIABLE, REDIRECT_VARIABLE];
/** The words of names that could mean a guard: first those of another recipient, then those of a list of recipients. */
const DIVERTS = /REDIRECT|DIVERT|REROUTE|INTERCEPT|CATCH|OVERRIDE|(?:^|_)(?:SINK|TRAP)(?:_|$)/i;
const RESTRICTS =
  /ONLY|ALLOW|WHITE|PERMIT|RESTRICT|GUARD|SAFE|BLOCK|BLACK|DENY|FORBID|RECIPIENT|RECEIVER|ADDRESSEE|RCPT|(?:^|_)(?:TO|DRY)(?:_|$)/i;
/** Options of the client that have no variable, by the words of names that could mean them. */
const OPTIONS: readonly (readonly [RegExp, keyof EmailPlatformOptions])[] = [
  [/ALLOW.*HTTP/i, 'dangerouslyAllowHttp'],
  [/ALLOW.*BROWSER/i, 'dangerouslyAllowBrowser'],
];
const IF_NOT = 'If not, unset it: a rule for recipients must not be ignored';
/** Variables of the command, which the client does not read. */
const OF_THE_COMMAND = [
  'EMAIL_PLATFORM_CONTROL_URL',
  'EMAIL_PLATFORM_CONTROL_TOKEN',
  'EMAIL_PLATFORM_WEBHOOK_SECRET',
  'EMAIL_PLATFORM_WEBHOOK_SIGNATURE_HEADER',
  'EMAIL_PLATFORM_ADDRESS_SECRET',
];
const KNOWN = [...Object.values(VARIABLES), BASE_VARIABLE, DOMAIN_VARIABLE, ...GUARDS, ...OF_THE_COMMAND];
const ENDINGS = KNOWN.map((name) => name.slice(PREFIX.length));

/** The known variable that a name probably misspells. */
function meantBy(name: string): string | undefined {
  if (Object.hasOwn(OTHER_VARIABLES, name)) return OTHER_VARIABLES[name];
  if (!name.startsWith(PREFIX)) return /EMAIL|PLATFORM/i.test(name) ? nearest(name, KNOWN) : undefined;
  // Without the prefix, because two letters are a small part of such a long name.
  const ending = nearest(name.slice(PREFIX.length), ENDINGS);
  return ending === undefined ? undefined : PREFIX + ending;
}

/** The variable of the guard that a name could mean; undefined if it could mean none. */
function guardMeantBy(name: string, meant: string | undefined): string | undefined {
  if (meant !== undefined && GUARDS.includes(meant)) return meant;
  if (!isOurs(name)) return undefined;
  const ending = name.slice(PREFIX.length);
  if (DIVERTS.test(ending)) return REDIRECT_VARIABLE;
  return RESTRICTS.test(ending) ? RECIPIENTS_VARIABLE : undefined;
}

const isOurs = (name: string) => name.toUpperCase().startsWith(PREFIX) && name.length > PREFIX.length;

/**
 * Warns of each misspelt variable, and once of all others that begin with the prefix; on the console, if the client has
 * no logger.
 *
 * @throws {@link ConfigurationError} for a variable whose name could mean a guard: ignored, it would let every recipient
 * get email
 */
export function checkVariables({
  logger = CONSOLE_LOGGER,
  logLevel = 'warn',
}: Pick<EmailPlatformOptions, 'logger' | 'logLevel'>): void {
  const warn = (fields: LogFields, message: string) => {
    if (logger === false || LOG_LEVELS.indexOf(logLevel) > LOG_LEVELS.indexOf('warn')) return;
    ignoringFailure(() => logger.warn(fields, message));
  };
  const unknown: string[] = [];
  for (const name of variableNames()) {
    // Windows ignores case in names, so a name in another case sets the known variable.
    const same = KNOWN.find((known) => known === name.toUpperCase());
    if (same !== undefined && (same === name || rawVariable(same) !== undefined)) continue;
    const [, option] = OPTIONS.find(([words]) => isOurs(name) && words.test(name)) ?? [];
    if (option !== undefined) {
      warn({ variable: name }, `${name} is not a known environment variable: pass the option \`${option}\``);
      continue;
    }
    const near = meantBy(name);
    const guard = guardMeantBy(name, near);
    const meant = guard ?? near;
    const message = `${name} is not a known environment variable; did you mean \`${meant ?? ''}\`?`;
    if (guard !== undefined) throw new ConfigurationError(`${message} ${IF_NOT}`, { option: 'recipients' });
    if (meant !== undefined && rawVariable(meant) === undefined) warn({ variable: name, meant }, message);
    else if (isOurs(name)) unknown.push(name);
  }
  if (unknown.length === 0) return;
  const names = unknown.sort().join(', ');
  warn({ variable: names }, `unknown environment variable${unknown.length === 1 ? '' : 's'}: ${names}`);
}
