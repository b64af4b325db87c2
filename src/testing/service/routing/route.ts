import type { EmulatorHost } from '../wire/hosts.ts';
import type { Reply } from '../wire/reply.ts';
import type { EmulatorPool } from '../state/account/limiter.ts';
import type { EmulatorAccess, EmulatorArea, TokenRecord } from '../state/account/tokens.ts';

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
  /** Details of the responses that the emulator chose because no source states them. `docs/trust/fidelity.md` lists them. */
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
 * route('GET /email_templates/{id}', { area: 'templates' }, (exchange) => ok(view(found(exchange))))
 * ```
 */
export function route(
  line: Line,
  facts: Omit<Endpoint, 'handler'>,
  handler: Endpoint['handler'],
): readonly Route[] {
  const lines = published.get(line) ?? publishedOf(line);
  const { access = lines.token.method === 'GET' ? 'viewer' : 'admin', forms = BOTH, hosts = API } = facts;
  const endpoint = { ...facts, handler };
  return forms.map((form) => {
    const { method, path, segments } = lines[form];
    return { endpoint, line, access, hosts, form, method, path, segments };
  });
}
