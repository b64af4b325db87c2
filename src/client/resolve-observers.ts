/** Resolves the observers of a client's calls: hooks, a logger, and schemas for responses. */
import { invalid, refuse } from '../core/rules.ts';
import type { ResponseSchemas } from '../resources/responses.ts';
import type { CallConfig } from '../transport/config.ts';
import { addHooks, NO_HOOKS, type Hooks } from '../transport/hooks.ts';
import { CONSOLE_LOGGER, loggingHooks, warningsTo, type LogLevel } from '../transport/logger.ts';
import { read } from './environment.ts';
import { logLevelRule } from './option-rules.ts';
import type { EmailPlatformOptions } from './options.ts';

/** The logger and its lowest level; both are undefined if logging is off. */
type Logging = Pick<EmailPlatformOptions, 'logger' | 'logLevel'>;

/** Fills in the default level of a logger, or the default logger of a level. */
export function resolveLogging({ logger, logLevel: level }: EmailPlatformOptions): Logging {
  if (logger === false) return { logger, logLevel: undefined };
  const { value: logLevel, label } = read('logLevel', level);
  if (logLevel === undefined) return { logger, logLevel: logger && 'warn' };
  refuse('logLevel', logLevelRule(logLevel), label);
  return { logger: logger ?? CONSOLE_LOGGER, logLevel: logLevel as LogLevel };
}

/** The hooks of a client: the hooks of the original client, then its own. */
export function hooksOf(
  inherited: EmailPlatformOptions['hooks'],
  own: EmailPlatformOptions['hooks'] = NO_HOOKS,
): Hooks {
  if (own === false) return NO_HOOKS;
  return inherited ? addHooks(inherited, own) : own;
}

/** The hooks with the hooks of the logger; and the schemas, if an observer uses their results. */
export function resolveObservers(
  options: EmailPlatformOptions,
  hooks: Hooks,
  { logger, logLevel }: Logging,
): Pick<CallConfig, 'hooks' | 'warn' | 'schemas'> {
  const isLogging = logger && logLevel;
  const logging = isLogging ? loggingHooks(logger, logLevel) : NO_HOOKS;
  return {
    hooks: addHooks(hooks, logging),
    warn: isLogging ? warningsTo(logger, logLevel) : undefined,
    schemas: resolveSchemas(options, hooks, logging),
  };
}

function resolveSchemas(
  { schemas, validateResponses }: EmailPlatformOptions,
  hooks: Hooks,
  logging: Hooks,
): ResponseSchemas | undefined {
  if (validateResponses !== 'throw' && !hooks.onMismatch) return logging.onMismatch && schemas;
  if (schemas !== undefined) return schemas;
  const from = "import * as schemas from 'email-platform/schemas'";
  throw invalid('schemas', `is required by validateResponses and hooks.onMismatch: ${from}`);
}
