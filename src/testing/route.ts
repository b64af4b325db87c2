import type { EmulatorHost } from './hosts.ts';
import type { EmulatorPool } from './limiter.ts';
import type { EmulatorAccess, EmulatorArea, TokenRecord } from './tokens.ts';

/** An answer as plain data; the engine adds the headers every answer has. */
export interface Reply {
  readonly status: number;
  /** Sent as JSON; leave out for an empty body. */
  readonly json?: unknown;
  /** A body that is no JSON. */
  readonly content?: { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> };
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as a handler sees it: authenticated, allowed, within its limits. */
export interface Exchange {
  readonly host: EmulatorHost;
  /** The address it was sent to without the query, for links. */
  readonly address: string;
  /** The origin of that address. */
  readonly origin: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly token: TokenRecord;
  /** The moment it is answered at, on the emulator's clock. */
  readonly now: number;
  /** How many bytes the body has. */
  readonly size: number;
  /** The body as a JSON object; refuses with 400 when it is none. */
  readonly body: () => Record<string, unknown>;
}

/** One endpoint. An area is a table of these. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As published; a segment `:name` is a parameter. With `:account_id` only the token's own account is found. */
  readonly path: string;
  /** Where it lives; the account host when left out. */
  readonly hosts?: readonly EmulatorHost[];
  /** The account pool it draws on beside the token's. */
  readonly pool?: EmulatorPool;
  /** What the token must be allowed. */
  readonly permission: readonly [EmulatorArea, EmulatorAccess];
  readonly handler: (exchange: Exchange) => Reply;
}

/** A part of the service: its endpoints, closed over its own state. */
export interface Area {
  readonly routes: readonly Route[];
}

/** Thrown by a handler to answer at once. */
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
export const notFound = () => new Refusal({ status: 404, json: { error: 'Not Found' } });
export const badRequest = (error: string) => new Refusal({ status: 400, json: { error } });

/** The three shapes `errors` has in a 422: a map from field to messages, one sentence, or a list of sentences. */
export type UnprocessableErrors = Readonly<Record<string, readonly string[]>> | string | readonly string[];
export const unprocessable = (errors: UnprocessableErrors) => new Refusal({ status: 422, json: { errors } });

/** The refusals of the sending hosts, which have a shape of their own. */
export const sendingRefusal = (status: number, ...errors: string[]) =>
  new Refusal({ status, json: { success: false, errors } });
