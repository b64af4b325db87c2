/** How an error looks when it is printed: what a person looks for first, in at most ten lines. */
import { tried } from './tried.ts';

/** What is printed of an error; the class has more. */
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

/** So many lines of the stack are shown; `stack` has all of them. */
const MAX_FRAMES = 5;

/** A message is shortened to 500 characters, a cause may be longer. */
const MAX_LENGTH = 600;

/** The folder of this package in a frame of its own: that of the build, or of the sources. */
const FOLDER = /[^\s(]*[\\/](?:email-platform[\\/](?:dist|src)|src(?=[\\/][a-z]+[\\/][a-z-]+\.ts:))[\\/]/;

/** A frame of the runtime itself. */
const isInternal = (line: string) => /[ (]node:|\(<anonymous>\)/.test(line);

const isFrame = (line: string) => /^\s+at /.test(line);

/**
 * A stack without the frames at its top that are this package's own: whoever reads it looks for their own code. Where an
 * application is bundled into one file, its frames cannot be told from ours, and all are left.
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
const framesOf = (error: PrintedError): string[] =>
  // A program may have replaced the stack by anything.
  (tried(() => callersOf(String(error.stack)).split('\n')) ?? [])
    .filter((line) => isFrame(line) && !isInternal(line))
    .slice(0, MAX_FRAMES);

/**
 * Where the call was made, as a frame of the stack says it: `signUp (/app/sign-up.js:7:20)`. Undefined in a bundle, and where
 * the stack has only frames of this package, as when nodemailer called it.
 */
export const placeOf = (error: PrintedError): string | undefined => {
  const [frame = ''] = framesOf(error);
  return isOwnOrBundled(frame) ? undefined : frame.replace(/^\s+at (async )?/, '');
};

const BUILT = /[\\/]email-platform[\\/]dist[\\/]/;

/** The function that `core/call-site.ts` has at the top of every stack; a bundler may have renamed it. */
const isOwnOrBundled = (frame: string) =>
  frame === '' || BUILT.test(frame) || /^\s+at callSite\d* /.test(frame);

/** Control characters, bidi controls and line breaks. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const UNPRINTABLE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text of others that is safe to print: each character that is not printed as itself becomes U+FFFD. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\ufffd');

/** A text of ours that may quote others: its lines stay. */
export const printableLines = (text: string): string => text.replace(/[^\n]+/g, printable);

const oneLine = (text: string) => printable(text.replace(/\s*[\n\r]\s*/g, ' ')).slice(0, MAX_LENGTH);

const titleOf = ({ name, message }: Error) => `${name}: ${message}`;

/** What an error was caused by, and what that was; undefined if there is nothing to say. */
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
  const said = Object.entries(lines).filter(([, text]) => text !== undefined);
  return [
    oneLine(titleOf(error)),
    ...framesOf(error),
    ...said.map(([name, text]) => `  ${name}: ${text}`),
  ].join('\n');
}
