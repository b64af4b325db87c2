import { isUnsendable } from '../../core/key.ts';
import { fillEndpoint, patternOf } from '../../core/path.ts';
import type { HostName, HttpMethod } from '../../core/request.ts';
import { idRule } from '../../core/rules.ts';
import { endpoints, type DeclaredEndpoint, type Operation } from '../../resources/endpoints.ts';

/** The name of an operation, which is the method that sends it, such as `campaigns.list`. */
export type OperationName = Operation;

/** A resource, or a group of methods in one. */
type GroupOf<Name> = Name extends `${infer Group}.${infer Rest}`
  ? Group | (Rest extends `${string}.${string}` ? `${Group}.${GroupOf<Rest>}` : never)
  : never;

/** An entry of the allow-list: an operation, or a whole resource, such as `templates.*`. */
export type OperationPattern = OperationName | `${GroupOf<OperationName>}.*`;

/** One endpoint of an operation, with the data that the proxy needs. */
export interface Route {
  readonly endpoint: DeclaredEndpoint;
  readonly operation: OperationName;
  readonly host: HostName;
  readonly method: HttpMethod;
  /** The path with the names of its arguments in braces. */
  readonly template: string;
  /** The names of the query's parameters. */
  readonly query: readonly string[];
  /** The names of the body's only field, without and with an account; undefined if they are equal. */
  readonly wrappers: readonly [string, string] | undefined;
  /** Whether the response is not JSON. */
  readonly isRaw: boolean;
  /** Whether the response has a new secret, which the service shows only once. */
  readonly issuesSecret: boolean;
  /** Whether only its full name allows it: it returns a file or a new secret, or it deletes an account. */
  readonly needsFullName: boolean;
  /** Whether the path can name an account. */
  readonly hasAccount: boolean;
  /** Matches paths. Each argument is one segment, and a group by its name; the account is the group `$`. */
  readonly pattern: RegExp;
}

/** A request and its endpoint. */
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
  const isRaw = decoder.kind === 'body';
  const issuesSecret = method !== 'GET' && decoder.secrets !== undefined;
  return {
    endpoint,
    operation,
    host,
    method,
    template,
    query: method === 'GET' ? [...(params?.fields ?? []), ...alsoSends] : [],
    wrappers: underAccount === undefined ? undefined : [plain, underAccount],
    isRaw,
    issuesSecret,
    needsFullName: isRaw || issuesSecret || endpoint.deletesAccount === true,
    hasAccount: template.startsWith('{account'),
    pattern: patternOf(template),
  };
}

/** All endpoints. An address that two operations share belongs to the operation that is declared first. */
export function allRoutes(): Route[] {
  const routes = new Map<string, Route>();
  for (const endpoint of endpoints()) {
    const address = `${endpoint.host ?? 'api'} ${endpoint.template}`;
    if (!routes.has(address)) routes.set(address, routeOf(endpoint));
  }
  return [...routes.values()];
}

/**
 * True if a pattern of the allow-list names an operation.
 */
export const isNamed = (pattern: unknown, { operation, needsFullName }: Route): boolean =>
  pattern === operation ||
  (typeof pattern === 'string' &&
    /.\.\*$/.test(pattern) &&
    !needsFullName &&
    operation.startsWith(pattern.slice(0, -1)));

/** True for text with a character at which a server may split the decoded path or the line. */
const separates = (text: string) => /[/\\]/.test(text) || isUnsendable(text);

/** The argument in a segment; undefined if the segment is not a valid one. */
function argumentOf(segment: string, isId: boolean): string | number | undefined {
  try {
    const text = decodeURIComponent(segment);
    if (separates(text)) return undefined;
    // Accepts an id only in the form that the client writes; as text, only one that a number would round.
    if (isId && idRule(text) === undefined) return text;
    return isId && String(Number(text)) === text ? Number(text) : text;
  } catch {
    return undefined;
  }
}

/** Rebuilds the request's path from the endpoint and the arguments, under the account if there is one. */
export function fill(
  { route, params }: Pick<Match, 'route' | 'params'>,
  accountId: number | undefined,
): ReturnType<typeof fillEndpoint> {
  const { method, template } = route;
  const endpoint = template.replace('{account?}', accountId === undefined ? '/api' : '{account}');
  return fillEndpoint(`${method} ${endpoint}`, params, accountId);
}

/** Finds the endpoint of a request. `host` and `path` come from the address; the path is not decoded. */
export function find(
  routes: readonly Route[],
  method: string,
  host: string,
  path: string,
): Match | undefined {
  for (const route of routes) {
    const matched = route.method === method && route.host === host && route.pattern.exec(path);
    if (!matched) continue;
    const { $: account, ...segments } = { ...matched.groups };
    const params = Object.fromEntries(
      Object.entries(segments).map(([name, segment]) => [
        name,
        argumentOf(segment, route.template.includes(`{${name}}`)),
      ]),
    ) as Match['params'];
    // An argument that is invalid, or that could not be decoded, belongs to another address.
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
