/** The printed form of an error: the most important facts first, in at most ten lines. */
import { isEmulatorToken } from './emulator-token.ts';
import { readFrom, tried } from './tried.ts';

/** The printed fields of an error; the class has more. */
interface PrintedError extends Error {
  readonly code: string;
  readonly effect: string;
  readonly isRetryable: boolean;
  readonly status?: number;
  readonly requestId?: string;
  readonly request?: {
    readonly operation: string;
    readonly method: string;
    readonly path: string;
    readonly attempts: number;
    readonly elapsedMs: number;
  };
}

/** The number of printed stack lines; `stack` has all of them. */
const MAX_FRAMES = 5;

/** A message is shortened to 500 characters, a cause may be longer. */
const MAX_LENGTH = 600;

/** The package's folder in one of its frames: the build or the sources. */
const FOLDER = /[^\s(]*[\\/](?:email-platform[\\/](?:dist|src)|src(?=[\\/][a-z]+[\\/][a-z-]+\.ts:))[\\/]/;

/** A frame of the runtime itself. */
const isInternal = (line: string) => /[ (]node:|\(<anonymous>\)/.test(line);

const isFrame = (line: string) => /^\s+at /.test(line);

/**
 * A stack without the package's own frames at its top, so that it begins with the caller's code. In an application
 * bundled into one file the frames look alike, so all stay.
 */
export function callersOf(stack: string): string {
  const lines = stack.split('\n');
  const first = lines.findIndex(isFrame);
  const folder = FOLDER.exec(lines[first] ?? '')?.[0];
  if (folder === undefined) return stack;
  const caller = lines.findIndex((line, index) => index > first && !line.includes(folder));
  return caller === -1 ? stack : [...lines.slice(0, first), ...lines.slice(caller)].join('\n');
}

/** The frames of an error's stack. */
function framesOf(error: PrintedError): string[] {
  // A program may have replaced the stack by any value.
  const stack = readFrom(error, 'stack');
  const lines = typeof stack === 'string' ? callersOf(stack).split('\n') : [];
  return lines.filter((line) => isFrame(line) && !isInternal(line)).slice(0, MAX_FRAMES);
}

/**
 * The place of the call, from a frame of the stack: `signUp (/app/sign-up.js:7:20)`. Undefined in a bundle, and if the
 * stack has only frames of this package, for instance after a call by nodemailer.
 */
export const placeOf = (error: PrintedError): string | undefined => {
  const [frame = ''] = framesOf(error);
  return isOwnOrBundled(frame) ? undefined : frame.replace(/^\s+at (async )?/, '');
};

const BUILT = /[\\/]email-platform[\\/]dist[\\/]/;

/** Matches the function of `core/call-site.ts` at the top of every stack; a bundler may have renamed it. */
const isOwnOrBundled = (frame: string) =>
  frame === '' || BUILT.test(frame) || /^\s+at callSite\d* /.test(frame);

/** Control characters, bidi controls and line breaks. */
// oxlint-disable-next-line no-control-regex -- the pattern searches for them
const UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Makes a foreign text safe to print: each control character becomes U+FFFD. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\ufffd');

/** Makes a text of this package safe to print, which may quote a foreign one: its line breaks stay. */
export const printableLines = (text: string): string => text.replace(/[^\n]+/g, printable);

const oneLine = (text: string) => printable(text.replace(/\s*[\n\r]\s*/g, ' ')).slice(0, MAX_LENGTH);

const titleOf = ({ name, message }: Error) => `${name}: ${message}`;

/** An error's cause and the cause of that, as text; undefined if it has none. */
function causeOf({ cause }: PrintedError): string | undefined {
  if (!(cause instanceof Error)) return typeof cause === 'string' ? oneLine(cause) : undefined;
  const inner = cause.cause instanceof Error ? `, ${titleOf(cause.cause)}` : '';
  return oneLine(titleOf(cause) + inner);
}

/** The error as text. */
export function printed(error: PrintedError): string {
  const { code, effect, isRetryable, status, requestId, request } = error;
  const lines: Readonly<Record<string, string | undefined>> = {
    call:
      request &&
      `${request.operation}: ${request.method} ${request.path}, attempts: ${request.attempts}, after ${request.elapsedMs} ms`,
    code: [
      code,
      ...(status === undefined ? [] : [`status ${status}`]),
      ...(requestId === undefined ? [] : [`request id ${printable(requestId)}`]),
    ].join(', '),
    effect: `${effect}, ${isRetryable ? 'retryable' : 'not retryable'}`,
    cause: tried(() => causeOf(error)),
  };
  const present = Object.entries(lines).filter(([, text]) => text !== undefined);
  return [
    oneLine(titleOf(error)),
    ...framesOf(error),
    ...present.map(([name, text]) => `  ${name}: ${text}`),
  ].join('\n');
}

/**
 * The likely mistake in a token that the service refuses, for the message of a 401; undefined for a token that looks like any
 * other. The text does not contain the token.
 */
export function tokenAdvice(token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  if (/^\d+$/.test(token))
    return 'the token is a number, like the id of an account: EMAIL_PLATFORM_TOKEN and EMAIL_PLATFORM_ACCOUNT_ID may be swapped';
  if (isEmulatorToken(token))
    return 'the token is of an emulator (emu_…): only that emulator takes it, until it is started again with another token (--token keeps one)';
  return undefined;
}
