/** Environment variables whose names are almost right: nothing reads them, so that nothing else would say so. */
import { nearest } from '../core/did-you-mean.ts';
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
/** Variables that the command prints or reads, and the client does not read. */
const OF_THE_COMMAND = [
  'EMAIL_PLATFORM_CONTROL_URL',
  'EMAIL_PLATFORM_CONTROL_TOKEN',
  'EMAIL_PLATFORM_WEBHOOK_SECRET',
  'EMAIL_PLATFORM_WEBHOOK_SIGNATURE_HEADER',
];
const KNOWN = [...Object.values(VARIABLES), BASE_VARIABLE, DOMAIN_VARIABLE, ...GUARDS, ...OF_THE_COMMAND];
const ENDINGS = KNOWN.map((name) => name.slice(PREFIX.length));

/** The known variable that was probably meant by another name. */
function meantBy(name: string): string | undefined {
  if (Object.hasOwn(OTHER_VARIABLES, name)) return OTHER_VARIABLES[name];
  if (!name.startsWith(PREFIX)) return /EMAIL|PLATFORM/i.test(name) ? nearest(name, KNOWN) : undefined;
  // Without the prefix, because in so long a name two letters are always few.
  const ending = nearest(name.slice(PREFIX.length), ENDINGS);
  return ending === undefined ? undefined : PREFIX + ending;
}

/**
 * Warns of each misspelt variable, unless the one that was probably meant is set as well; on the console, if there is no
 * logger.
 *
 * @throws {@link ConfigurationError} for one that was to keep email from people
 */
export function checkVariables({
  logger = CONSOLE_LOGGER,
  logLevel = 'warn',
}: Pick<EmailPlatformOptions, 'logger' | 'logLevel'>): void {
  for (const name of variableNames()) {
    const meant = KNOWN.includes(name) ? undefined : meantBy(name);
    // On Windows names differ in case only, and the known one is set by any of them.
    if (meant === undefined || rawVariable(meant) !== undefined) continue;
    const message = `${name} is not a known environment variable; did you mean \`${meant}\`?`;
    if (GUARDS.includes(meant)) throw new ConfigurationError(message, { option: 'recipients' });
    if (logger === false || LOG_LEVELS.indexOf(logLevel) > LOG_LEVELS.indexOf('warn')) continue;
    ignoringFailure(() => logger.warn({ variable: name, meant }, message));
  }
}
