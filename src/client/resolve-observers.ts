/** Who learns what of a client's calls: hooks, a logger, and schemas that responses are compared with. */
import { isolated } from '../core/isolated.ts';
import { invalid, refuse } from '../core/rules.ts';
import type { ResponseSchemas } from '../resources/responses.ts';
import type { CallConfig } from '../transport/config.ts';
import { addHooks, type Hooks } from '../transport/hooks.ts';
import { CONSOLE_LOGGER, loggingHooks, warningsTo, type LogLevel } from '../transport/logger.ts';
import { read } from './environment.ts';
import { logLevelRule } from './option-rules.ts';
import type { EmailPlatformOptions } from './options.ts';

/** Who is logged to, and from which level on; both are undefined where nothing is logged. */
type Logging = Pick<EmailPlatformOptions, 'logger' | 'logLevel'>;

/** A logger has a default for its level, and a level one for its logger. */
export function resolveLogging({ logger, logLevel: given }: EmailPlatformOptions): Logging {
  if (logger === false) return { logger, logLevel: undefined };
  const { value: logLevel, label } = read('logLevel', given);
  if (logLevel === undefined) return { logger, logLevel: logger && 'warn' };
  refuse('logLevel', logLevelRule(logLevel), label);
  return { logger: logger ?? CONSOLE_LOGGER, logLevel: logLevel as LogLevel };
}

/** The hooks of a client: its own are added to those of the client it is derived from. */
export function hooksOf(base: EmailPlatformOptions, { hooks: own = {} }: EmailPlatformOptions): Hooks {
  const { hooks: inherited } = base;
  if (own === false) return {};
  return addHooks(isolated(inherited === undefined || inherited === false ? {} : inherited), isolated(own));
}

/** The hooks with those of the logger, and the schemas where something is done with what they find. */
export function resolveObservers(
  options: EmailPlatformOptions,
  hooks: Hooks,
  { logger, logLevel }: Logging,
): Pick<CallConfig, 'hooks' | 'warn' | 'schemas'> {
  const isLogging = logger && logLevel;
  const logging = isLogging ? loggingHooks(logger, logLevel) : {};
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
