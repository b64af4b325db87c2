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

/** The two published forms of a path: the token implies the account, or the path names it. */
export type Form = 'token' | 'account';

/** A request as a handler sees it: authenticated, permitted and within its limits. */
export interface Exchange {
  readonly host: EmulatorHost;
  /** The form of the path that it was sent to. */
  readonly form: Form;
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

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What an endpoint is besides its method and path. */
export interface Endpoint {
  /** The part of the service that the token needs access to. */
  readonly area: EmulatorArea;
  /** The access that the token needs. By default, `viewer` for a GET, and `admin` for anything else. */
  readonly access?: EmulatorAccess;
  /** The forms in which the path is published. By default, both. */
  readonly forms?: readonly Form[];
  /** The hosts that serve it. By default, the account host. */
  readonly hosts?: readonly EmulatorHost[];
  /** The account's rate-limit pool that it uses in addition to that of the token. */
  readonly pool?: EmulatorPool;
  /** Whether a request needs no token, because its path proves that it may be made. */
  readonly isSigned?: true;
  /** What no source says of its responses, and the emulator therefore chose. `docs/fidelity.md` lists it. */
  readonly inferred?: string;
  readonly handler: (exchange: Exchange) => Reply;
}

/** One endpoint, by one form of its path. */
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
  /** The path as it is published, with parameters in braces. `{account_id}` only matches the account of the token. */
  readonly path: string;
}

const ROOTS: Readonly<Record<Form, string>> = { token: '/api', account: '/api/accounts/{account_id}' };

const API: readonly EmulatorHost[] = ['api'];
const BOTH: readonly Form[] = ['token', 'account'];

type Line = `${Verb} /${string}`;
type Published = Pick<Route, 'method' | 'path' | 'segments'>;

/** What a line says, by form. Every emulator has the same lines, and tests create thousands of emulators. */
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
 * `{domains|sending_domains}` is a word that is another one where the path names the account.
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
/** Refuses with 404 what was not found. */
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

/** A refusal with one message, in the shape of the host. */
export const refusal = (host: EmulatorHost, status: number, message: string) =>
  host === 'api' || host === 'storage'
    ? new Refusal({ status, json: { error: message } })
    : sendingRefusal(status, message);
