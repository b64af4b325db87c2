import { EmailPlatformError } from '../core/error-base.ts';

/** A failure of the command. The message has the reason and the remedy. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** Ends the command with the exit code for changes. Prints nothing more. */
export class Changes extends Error {
  override readonly name = 'Changes';
}

/** The text of an error. Errors of a socket may have a code and no message. */
export function messageOf(error: unknown): string {
  const { message, code, cause } = Object(error) as Readonly<Record<'message' | 'code' | 'cause', unknown>>;
  const text = typeof message === 'string' && message !== '' ? message : String(code ?? error);
  return error instanceof EmailPlatformError && cause !== undefined ? `${text}: ${messageOf(cause)}` : text;
}
