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
import { CONSOLE_LOGGER, LOG_LEVELS } from '../transport/logger.ts';
import type { EmailPlatformOptions } from './options.ts';

const PREFIX = 'EMAIL_PLATFORM_';
/** The variables of the guard: without them, an email reaches every recipient. */
const GUARDS: readonly string[] = [RECIPIENTS_VARIABLE, REDIRECT_VARIABLE];
/** The endings of variables that are probably meant to restrict recipients. */
const MAY_RESTRICT = /RECIPIENT|REDIRECT|ALLOW/i;
/** Variables of the command, which the client does not read. */
const OF_THE_COMMAND = [
  'EMAIL_PLATFORM_CONTROL_URL',
  'EMAIL_PLATFORM_CONTROL_TOKEN',
  'EMAIL_PLATFORM_WEBHOOK_SECRET',
  'EMAIL_PLATFORM_WEBHOOK_SIGNATURE_HEADER',
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

/** The variable that a name was probably meant to set. */
const guardLike = (name: string) => (/REDIRECT/i.test(name) ? REDIRECT_VARIABLE : RECIPIENTS_VARIABLE);

/**
 * Warns of each misspelt variable, unless the correct one is also set; on the console, if the client has no logger.
 *
 * @throws {@link ConfigurationError} for a misspelt variable that would restrict recipients, and for any other unknown one whose name has
 * RECIPIENT, REDIRECT or ALLOW in it
 */
export function checkVariables({
  logger = CONSOLE_LOGGER,
  logLevel = 'warn',
}: Pick<EmailPlatformOptions, 'logger' | 'logLevel'>): void {
  for (const name of variableNames()) {
    if (KNOWN.includes(name)) continue;
    const isGuard = name.toUpperCase().startsWith(PREFIX) && MAY_RESTRICT.test(name.slice(PREFIX.length));
    const meant = meantBy(name) ?? (isGuard ? guardLike(name) : undefined);
    // Windows ignores case in names, so a name in another case sets the known variable.
    if (meant === undefined || rawVariable(meant) !== undefined) continue;
    const message = `${name} is not a known environment variable; did you mean \`${meant}\`?`;
    if (isGuard || GUARDS.includes(meant)) throw new ConfigurationError(message, { option: 'recipients' });
    if (logger === false || LOG_LEVELS.indexOf(logLevel) > LOG_LEVELS.indexOf('warn')) continue;
    ignoringFailure(() => logger.warn({ variable: name, meant }, message));
  }
}
