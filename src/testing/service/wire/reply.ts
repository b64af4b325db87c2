/** Responses as handlers write them, and the refusals that end a handler. */
import type { EmulatorHost } from './hosts.ts';

/** A response as plain data. The engine adds the headers that every response has. */
export interface Reply {
  readonly status: number;
  /** The JSON body. By default, the body is empty. */
  readonly json?: unknown;
  /** A body that is not JSON. */
  readonly content?: { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> };
  readonly headers?: Readonly<Record<string, string>>;
  /** Why the emulator refused, for a report. The response is without it, as the service's is. */
  readonly cause?: string;
  /** The cause and its cure in a header, for the message of this package's client alone. */
  readonly told?: string;
}

/** Thrown by a handler to respond at once. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`The request was refused with ${reply.status}`);
    this.reply = reply;
  }
}

export const ok = (json: unknown): Reply => ({ status: 200, json });
export const created = (json: unknown): Reply => ({ status: 201, json });
export const noContent = (): Reply => ({ status: 204 });
export const notFound = (error = 'Not Found') => new Refusal({ status: 404, json: { error } });
/** 403: the token has no right to this. */
export const forbidden = (errors = 'Access forbidden') => new Refusal({ status: 403, json: { errors } });
/** Returns its argument. Refuses with 404 if it is `undefined`. */
export function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw notFound();
  return found;
}
export const badRequest = (error: string) => new Refusal({ status: 400, json: { error } });

/** The three forms of `errors` in a 422: a map from fields to messages, one sentence, or a list of sentences. */
export type UnprocessableErrors = Readonly<Record<string, readonly string[]>> | string | readonly string[];
export const unprocessable = (errors: UnprocessableErrors) => new Refusal({ status: 422, json: { errors } });

/** The refusals of the sending hosts, which have their own shape. */
export const sendingRefusal = (status: number, errors: string | readonly string[]) =>
  new Refusal({ status, json: { success: false, errors: typeof errors === 'string' ? [errors] : errors } });

/** A refusal with one message, in the format of the host. */
export const refusal = (host: EmulatorHost, status: number, message: string) =>
  host === 'api' || host === 'storage' || host === 'reader'
    ? new Refusal({ status, json: { error: message } })
    : sendingRefusal(status, message);
