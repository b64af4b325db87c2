import { isEmailPlatformError } from '../core/error-guards.ts';

/** The command failed. The message says why, and what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

/** The command is done, and says with its exit code that there are changes. It prints nothing more. */
export class Changes extends Error {
  override readonly name = 'Changes';
}

/** The text of an error. Errors of a socket may have a code and no message. */
export function messageOf(error: unknown): string {
  const { message, code, cause } = Object(error) as Readonly<Record<'message' | 'code' | 'cause', unknown>>;
  const text = typeof message === 'string' && message !== '' ? message : String(code ?? error);
  return isEmailPlatformError(error) && cause !== undefined ? `${text}: ${messageOf(cause)}` : text;
}
