import { isUnsendable } from '../core/key.ts';
import { fillEndpoint, patternOf } from '../core/path.ts';
import type { HostName, HttpMethod } from '../core/request.ts';
import { endpoints, type DeclaredEndpoint, type Operation } from '../resources/endpoints.ts';

/** The name of an operation: of the method that sends it, such as `campaigns.list`. */
export type OperationName = Operation;

/** A resource, or a group of methods in one. */
type GroupOf<Name> = Name extends `${infer Group}.${infer Rest}`
  ? Group | (Rest extends `${string}.${string}` ? `${Group}.${GroupOf<Rest>}` : never)
  : never;

/** What an allow-list names: an operation, or all of a resource, such as `templates.*`. */
export type OperationPattern = OperationName | `${GroupOf<OperationName>}.*`;

/** One endpoint of an operation, as the proxy finds it. */
export interface Route {
  readonly endpoint: DeclaredEndpoint;
  readonly operation: OperationName;
  readonly host: HostName;
  readonly method: HttpMethod;
  /** The path with its names in braces. */
  readonly template: string;
  /** The names of the query's parameters. */
  readonly query: readonly string[];
  /** The body's only field, without and under an account, where the two differ. */
  readonly wrappers: readonly [string, string] | undefined;
  /** Whether the response is not JSON. */
  readonly isRaw: boolean;
  /** Whether the response has a secret that was made by the request: the service shows it once. */
  readonly issuesSecret: boolean;
  /** Whether the path may be under an account. */
  readonly hasAccount: boolean;
  /** What paths look like: every argument is a segment, and a group by its name; the account is `$`. */
  readonly pattern: RegExp;
}

/** A request that an endpoint has been found for. */
export interface Match {
  readonly route: Route;
  /** The path without an account. */
  readonly path: string;
  /** The arguments in the path, by name. */
  readonly params: Readonly<Record<string, string | number>>;
  /** The account in the path. */
  readonly accountId: number | undefined;
}

function routeOf(endpoint: DeclaredEndpoint): Route {
  const { operation, host = 'api', wrapper, decoder, params, alsoSends = [] } = endpoint;
  const [method, template] = endpoint.template.split(' ') as [HttpMethod, string];
  const [plain = '', underAccount] = wrapper?.split('|') ?? [];
  return {
    endpoint,
    operation,
    host,
    method,
    template,
    query: method === 'GET' ? [...(params?.fields ?? []), ...alsoSends] : [],
    wrappers: underAccount === undefined ? undefined : [plain, underAccount],
    isRaw: decoder.kind === 'body',
    issuesSecret: method !== 'GET' && decoder.secrets !== undefined,
    hasAccount: template.startsWith('{account'),
    pattern: patternOf(template),
  };
}

/** Every endpoint there is, each once: an address that two operations share belongs to the one that is declared first. */
export function allRoutes(): Route[] {
  const routes = new Map<string, Route>();
  for (const endpoint of endpoints()) {
    const address = `${endpoint.host ?? 'api'} ${endpoint.template}`;
    if (!routes.has(address)) routes.set(address, routeOf(endpoint));
  }
  return [...routes.values()];
}

/** Whether a pattern of an allow-list names an operation. What is not JSON, or is a new secret, has to be named in full. */
export const isNamed = (pattern: unknown, { operation, isRaw, issuesSecret }: Route): boolean =>
  pattern === operation ||
  (typeof pattern === 'string' &&
    /.\.\*$/.test(pattern) &&
    !isRaw &&
    !issuesSecret &&
    operation.startsWith(pattern.slice(0, -1)));

/** Whether a server might split the path there once it has decoded it, or take it for the end of a line. */
const separates = (text: string) => /[/\\]/.test(text) || isUnsendable(text);

/** The argument in a segment; undefined if it is none. */
function argumentOf(segment: string, isId: boolean): string | number | undefined {
  try {
    const text = decodeURIComponent(segment);
    if (separates(text)) return undefined;
    // As the client writes an id, and in no other way.
    return isId && String(Number(text)) === text ? Number(text) : text;
  } catch {
    return undefined;
  }
}

/** The request's path, rebuilt from the endpoint and the arguments; under the account, where there is one. */
export function fill(
  { route, params }: Pick<Match, 'route' | 'params'>,
  accountId: number | undefined,
): ReturnType<typeof fillEndpoint> {
  const { method, template } = route;
  const endpoint = template.replace('{account?}', accountId === undefined ? '/api' : '{account}');
  return fillEndpoint(`${method} ${endpoint}`, params, accountId);
}

/** The endpoint that a request is for: `host` and `path` as in the address, the path not decoded. */
export function find(
  routes: readonly Route[],
  method: string,
  host: string,
  path: string,
): Match | undefined {
  for (const route of routes) {
    const found = route.method === method && route.host === host && route.pattern.exec(path);
    if (!found) continue;
    const { $: account, ...segments } = { ...found.groups };
    const params = Object.fromEntries(
      Object.entries(segments).map(([name, segment]) => [
        name,
        argumentOf(segment, route.template.includes(`{${name}}`)),
      ]),
    ) as Match['params'];
    // An argument of another kind, or one that could not be decoded, makes it another address.
    const filled = fill({ route, params }, undefined);
    if (filled.issues.length > 0) continue;
    return {
      route,
      params,
      accountId: account === undefined ? undefined : Number(account),
      path: filled.path,
    };
  }
  return undefined;
}
