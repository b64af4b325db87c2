import type { EmulatorHost } from './hosts.ts';
import type { EmulatorPool } from './limiter.ts';
import type { EmulatorAccess, EmulatorArea, TokenRecord } from './tokens.ts';

/** A response as plain data. The engine adds the headers that every response has. */
export interface Reply {
  readonly status: number;
  /** Sent as JSON. Without it the body is empty. */
  readonly json?: unknown;
  /** A body that is not JSON. */
  readonly content?: { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> };
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as a handler sees it: authenticated, permitted and within its limits. */
export interface Exchange {
  readonly host: EmulatorHost;
  /** The address that the request was sent to, without the query. Used in links. */
  readonly address: string;
  /** The origin of that address. */
  readonly origin: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly token: TokenRecord;
  /** The time of the response, on the emulator's clock. */
  readonly now: number;
  /** The size of the body, in bytes. */
  readonly size: number;
  /** Returns the body as a JSON object. Refuses with 400 if it is not one. */
  readonly body: () => Record<string, unknown>;
}

/** One endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The published path. A segment `:name` is a parameter; `:account_id` only matches the account of the token. */
  readonly path: string;
  /** The hosts that serve it. By default, the account host. */
  readonly hosts?: readonly EmulatorHost[];
  /** The account's rate-limit pool that it uses in addition to that of the token. */
  readonly pool?: EmulatorPool;
  /** The access that the token needs. */
  readonly permission: readonly [EmulatorArea, EmulatorAccess];
  /** Whether a request needs no token, because its path proves that it may be made. */
  readonly isSigned?: true;
  readonly handler: (exchange: Exchange) => Reply;
}

/** A part of the service: its endpoints and, within them, its state. */
export interface Area {
  readonly routes: readonly Route[];
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
export const badRequest = (error: string) => new Refusal({ status: 400, json: { error } });

/** The three forms of `errors` in a 422: a map from fields to messages, one sentence, or a list of sentences. */
export type UnprocessableErrors = Readonly<Record<string, readonly string[]>> | string | readonly string[];
export const unprocessable = (errors: UnprocessableErrors) => new Refusal({ status: 422, json: { errors } });

/** The refusals of the sending hosts, which have their own shape. */
export const sendingRefusal = (status: number, errors: string | readonly string[]) =>
  new Refusal({ status, json: { success: false, errors: typeof errors === 'string' ? [errors] : errors } });

/** A refusal with one message, in the shape of the host. */
export const refusal = (host: EmulatorHost, status: number, message: string) =>
  host === 'api' || host === 'storage'
    ? new Refusal({ status, json: { error: message } })
    : sendingRefusal(status, message);
