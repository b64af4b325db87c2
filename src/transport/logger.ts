/** Logging: the hooks of a client that has a logger. */
import type { ErrorCode } from '../core/error-base.ts';
import { tell } from '../core/tried.ts';
import { methodCalled, summaryOfError } from './call-summary.ts';
import type { CallEvent, EndEvent, Hooks, ResponseEvent } from './hooks.ts';

/** How much is logged, from most to least: each level includes those after it. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** The fields of a line: the call's `callId`, `operation` and `meta`, and the facts of the event. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Receives lines; a logger of pino and `console` are examples. The client ignores the errors and the return values of
 * its methods.
 */
export interface Logger {
  /** An attempt, or its response. */
  debug(fields: LogFields, message: string): void;
  /** A call that ended, a retry, or a wait of more than a second. */
  info(fields: LogFields, message: string): void;
  /** A 429, a call that failed with 403, a response that does not match its schema, or a read whose outcome is unknown. */
  warn(fields: LogFields, message: string): void;
  /** A call that failed with 401, or one that may have changed something and whose outcome is unknown: a send above all. */
  error(fields: LogFields, message: string): void;
}

/**
 * A path of field names. Another path may contain a key that the caller chose. Each step begins with a character that
 * ends the step before it, because a pattern that can split a word in several ways takes exponential time.
 */
const PATH = /^(?:[a-z_]\w*|\*|\[\d+\])(?:\.(?:[a-z_]\w*|\*)|\[\d+\])*$/i;
/** The characters of a request id. Another text may be an address. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Shorter waits in the queue are not logged. */
const LONG_WAIT_MS = 1_000;

const toConsole = (level: LogLevel) => (fields: LogFields, message: string) => {
  globalThis.console[level](`email-platform: ${message}`, fields);
};

/** The logger of a client with a level but without a logger. */
export const CONSOLE_LOGGER: Logger = {
  debug: toConsole('debug'),
  info: toConsole('info'),
  warn: toConsole('warn'),
  error: toConsole('error'),
};

/** The fields of a call, without the path, which may contain an address. */
const about = (event: CallEvent, more: LogFields): LogFields => {
  const { callId, method, host, meta } = event;
  return {
    callId,
    operation: methodCalled(event),
    method,
    host,
    ...(meta !== undefined && { meta }),
    ...more,
  };
};

/** Logs a warning about a call. An error that the logger throws is ignored. */
export type Warn = (event: CallEvent, message: string, more: LogFields) => void;

/** The function that logs warnings; undefined if the level excludes them. */
export const warningsTo = (logger: Logger, level: LogLevel): Warn | undefined =>
  LOG_LEVELS.indexOf('warn') < LOG_LEVELS.indexOf(level)
    ? undefined
    : (event, message, more) => {
        tell(
          () => logger.warn(about(event, more), `${methodCalled(event)}: ${message}`),
          () => undefined,
        );
      };

/** The hooks that log at this level. A hook without a line at this level is left out and costs nothing. */
export function loggingHooks(logger: Logger, level: LogLevel): Hooks {
  const lowest = LOG_LEVELS.indexOf(level);
  const isOn = (of: LogLevel) => LOG_LEVELS.indexOf(of) >= lowest;
  // Returns the logger's result, so that its rejection is ignored like an error that a hook throws.
  const log = (of: LogLevel, event: CallEvent, message: string, more: LogFields): unknown =>
    isOn(of) ? logger[of](about(event, more), `${methodCalled(event)}: ${message}`) : undefined;

  return {
    onRequest: isOn('debug')
      ? (event) => log('debug', event, `attempt ${event.attempt} is sent`, { attempt: event.attempt })
      : undefined,
    onResponse: isOn('warn')
      ? (event) => log(isRefused(event) ? 'warn' : 'debug', event, answered(event), response(event))
      : undefined,
    onRetry: isOn('info')
      ? (event) => {
          const { attempt, reason, delayMs, error } = event;
          const fields = { attempt, reason, delayMs, error: summaryOfError(error) };
          return log('info', event, `attempt ${attempt} is repeated in ${delayMs} ms (${reason})`, fields);
        }
      : undefined,
    onThrottle: isOn('info')
      ? (event) => {
          const { attempt, pool, waiting, expectedWaitMs, degraded } = event;
          if (expectedWaitMs <= LONG_WAIT_MS) return;
          const fields = { attempt, pool, waiting, expectedWaitMs, ...(degraded === true && { degraded }) };
          const message = `queued for about ${Math.round(expectedWaitMs)} ms, for the limit of ${pool}`;
          return log('info', event, message, fields);
        }
      : undefined,
    onMismatch: isOn('warn')
      ? (event) => {
          const { attempt } = event;
          // Without the schema's messages, which may quote the response.
          const issues = event.issues.map(({ path }) => ({ path: PATH.test(path) ? path : '*' }));
          return log('warn', event, 'the response does not match its schema', { attempt, issues });
        }
      : undefined,
    onEnd: (event) => {
      const { attempts, durationMs, error, message_ids, rejected } = event;
      const fields = {
        attempts,
        durationMs,
        ...(message_ids && { message_ids }),
        ...(rejected !== undefined && { rejected }),
        ...(error && { error: summaryOfError(error) }),
      };
      return log(levelOf(event), event, ended(event), fields);
    },
  };
}

const isRefused = ({ status }: ResponseEvent) => status === 429;

const answered = (event: ResponseEvent) => {
  const { attempt, status, durationMs } = event;
  return isRefused(event)
    ? `attempt ${attempt} was refused with 429 by a rate limit`
    : `attempt ${attempt} was answered with ${status} after ${durationMs} ms`;
};

const response = ({ attempt, status, durationMs, requestId = '' }: ResponseEvent) => ({
  attempt,
  status,
  durationMs,
  requestId: REQUEST_ID.test(requestId) ? requestId : undefined,
});

/** Whether the outcome of a call is unknown and matters: an aborted read does not. */
const isUnknown = ({ method, error }: EndEvent) =>
  error?.effect === 'unknown' && !(method === 'GET' && error.code === 'aborted');

function ended(event: EndEvent): string {
  const { error, durationMs, rejected } = event;
  if (!error)
    return `succeeded after ${durationMs} ms${rejected === undefined ? '' : `; ${rejected} of its emails rejected`}`;
  return `${isUnknown(event) ? 'the outcome is unknown' : 'failed'} (${error.code})`;
}

/** The service refuses every further call with the same token until the account's owner acts. */
const REFUSALS: Partial<Record<ErrorCode, LogLevel>> = {
  authentication_failed: 'error',
  permission_denied: 'warn',
};

function levelOf(event: EndEvent): LogLevel {
  if (isUnknown(event)) return event.method === 'GET' ? 'warn' : 'error';
  return (event.error && REFUSALS[event.error.code]) ?? 'info';
}
