import type { EmulatorHost } from '../wire/hosts.ts';
import type { EmulatorPool } from '../state/account/limiter.ts';
import type { EmulatorAccess, EmulatorArea, TokenRecord } from '../state/account/tokens.ts';

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
}

/** The two published forms of a path: the token implies the account, or the path names it. */
export type Form = 'token' | 'account';

/** A request for a handler: authenticated, permitted and within its limits. */
export interface Exchange {
  readonly host: EmulatorHost;
  /** The form of the path. */
  readonly form: Form;
  /** The address of the request, without the query. Used in links. */
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

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The properties of an endpoint besides its method and path. */
export interface Endpoint {
  /** The part of the service that the token needs access to. */
  readonly area: EmulatorArea;
  /** The access that the token needs. By default, `viewer` for a GET, and `admin` for other methods. */
  readonly access?: EmulatorAccess;
  /** The forms in which the path is published. By default, both. */
  readonly forms?: readonly Form[];
  /** The hosts that serve it. By default, the account host. */
  readonly hosts?: readonly EmulatorHost[];
  /** The account's rate-limit pool in which requests count, in addition to the token's pool. */
  readonly pool?: EmulatorPool;
  /** Whether a signature in the path replaces the token. */
  readonly isSigned?: true;
  /** Details of the responses that the emulator chose because no source states them. `docs/fidelity.md` lists them. */
  readonly inferred?: string;
  readonly handler: (exchange: Exchange) => Reply;
}

/** One endpoint with one form of its path. */
export interface Route {
  readonly endpoint: Endpoint;
  /** The line that declares the endpoint: the same for both forms of its path. */
  readonly line: string;
  readonly method: Verb;
  readonly form: Form;
  readonly access: EmulatorAccess;
  readonly hosts: readonly EmulatorHost[];
  /** The segments of `path`. */
  readonly segments: readonly string[];
  /** The published path, with parameters in braces. `{account_id}` only matches the account of the token. */
  readonly path: string;
}

const ROOTS: Readonly<Record<Form, string>> = { token: '/api', account: '/api/accounts/{account_id}' };

const API: readonly EmulatorHost[] = ['api'];
const BOTH: readonly Form[] = ['token', 'account'];

type Line = `${Verb} /${string}`;
type Published = Pick<Route, 'method' | 'path' | 'segments'>;

/** The parsed lines, by form. A cache, because tests create thousands of emulators with the same lines. */
const published = new Map<Line, Readonly<Record<Form, Published>>>();

function publishedOf(line: Line): Readonly<Record<Form, Published>> {
  const [method, text] = line.split(' ') as [Verb, string];
  const by = (form: Form): Published => {
    const path = ROOTS[form] + text.replace(/\{(\w+)\|(\w+)\}/g, form === 'token' ? '$1' : '$2');
    return { method, path, segments: path.split('/') };
  };
  const forms = { token: by('token'), account: by('account') };
  published.set(line, forms);
  return forms;
}

/**
 * Declares an endpoint. Every endpoint of the emulator is declared by this function.
 *
 * @param line - the method, and the path after `/api` or `/api/accounts/{account_id}`. A name in braces is a parameter.
 * `{domains|sending_domains}` is `domains` after `/api`, and `sending_domains` after the account.
 * @returns a route for each form of the path.
 * @example
 * ```ts
 * route('GET /email_templates/{id}', { area: 'templates', handler: (exchange) => ok(view(found(exchange))) })
 * ```
 */
export function route(line: Line, endpoint: Endpoint): readonly Route[] {
  const lines = published.get(line) ?? publishedOf(line);
  const { access = lines.token.method === 'GET' ? 'viewer' : 'admin', forms = BOTH, hosts = API } = endpoint;
  return forms.map((form) => {
    const { method, path, segments } = lines[form];
    return { endpoint, line, access, hosts, form, method, path, segments };
  });
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
