/** How an error looks when it is printed: what a person looks for first, in at most ten lines. */
import type { EmailPlatformError } from './error-base.ts';
import { tried } from './tried.ts';

/** So many lines of the stack are shown; `stack` has all of them. */
const MAX_FRAMES = 5;

/** A message is shortened to 500 characters, a cause may be longer. */
const MAX_LENGTH = 600;

/** The folder of the file in a frame, if it is one of a package: what is built, or the sources. */
const FOLDER = /^.*?((?:file:\/\/|[A-Za-z]:)?[\\/].*[\\/](?:src|dist)[\\/])/;

/** A frame of the runtime itself. */
const isInternal = (line: string) => /[ (]node:|\(<anonymous>\)/.test(line);

const isFrame = (line: string) => /^\s+at /.test(line);

/** A stack without the frames at its top that are this package's own: whoever reads it looks for their own code. */
export function callersOf(stack: string): string {
  const lines = stack.split('\n');
  const first = lines.findIndex(isFrame);
  const folder = FOLDER.exec(lines[first] ?? '')?.[1];
  if (folder === undefined) return stack;
  const caller = lines.findIndex((line, index) => index > first && !line.includes(folder));
  // Where an application is bundled into one file, its frames cannot be told from ours.
  return caller === -1 ? stack : [...lines.slice(0, first), ...lines.slice(caller)].join('\n');
}

/** The frames of an error's stack. */
const framesOf = (error: EmailPlatformError): string[] =>
  // A program may have replaced the stack by anything.
  (tried(() => callersOf(String(error.stack)).split('\n')) ?? [])
    .filter((line) => isFrame(line) && !isInternal(line))
    .slice(0, MAX_FRAMES);

/** Where the call was made, as a frame of the stack says it: `signUp (/app/sign-up.js:7:20)`. */
export const placeOf = (error: EmailPlatformError): string | undefined =>
  framesOf(error)[0]?.replace(/^\s+at (async )?/, '');

const oneLine = (text: string) => text.replace(/\s*[\n\r]\s*/g, ' ').slice(0, MAX_LENGTH);

const titleOf = ({ name, message }: Error) => `${name}: ${message}`;

/** What an error was caused by, and what that was; undefined if there is nothing to say. */
function causeOf({ cause }: EmailPlatformError): string | undefined {
  if (!(cause instanceof Error)) return typeof cause === 'string' ? oneLine(cause) : undefined;
  const inner = cause.cause instanceof Error ? `, ${titleOf(cause.cause)}` : '';
  return oneLine(titleOf(cause) + inner);
}

/** The error as text. */
export function printed(error: EmailPlatformError): string {
  const { code, effect, isRetryable, request } = error;
  const { status, requestId } = error as { readonly status?: number; readonly requestId?: string };
  const lines: Readonly<Record<string, string | undefined>> = {
    call:
      request &&
      `${request.operation}: ${request.method} ${request.path}, attempts: ${request.attempts}, after ${request.elapsedMs} ms`,
    code: [
      code,
      ...(status === undefined ? [] : [`status ${status}`]),
      ...(requestId === undefined ? [] : [`request id ${requestId}`]),
    ].join(', '),
    effect: `${effect}, ${isRetryable ? 'retryable' : 'not retryable'}`,
    cause: tried(() => causeOf(error), undefined),
  };
  const said = Object.entries(lines).filter(([, text]) => text !== undefined);
  return [
    oneLine(titleOf(error)),
    ...framesOf(error),
    ...said.map(([name, text]) => `  ${name}: ${text}`),
  ].join('\n');
}
