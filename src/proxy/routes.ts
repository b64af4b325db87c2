import type { HostName } from '../core/request.ts';
import type { Inside } from '../inside.ts';
import type { FilledEndpoint } from '../core/path.ts';
import { OPERATIONS } from './operations.ts';

type Operations = typeof OPERATIONS;

/** The name of an operation: of the method that sends it, such as `campaigns.list`. */
export type OperationName = {
  [Group in keyof Operations]: `${Group}.${Exclude<keyof Operations[Group], ''> & string}`;
}[keyof Operations];

/** A resource, or a group of methods in one. */
type GroupOf<Name> = Name extends `${infer Group}.${infer Rest}`
  ? Group | (Rest extends `${string}.${string}` ? `${Group}.${GroupOf<Rest>}` : never)
  : never;

/** What an allow-list names: an operation, or all of a resource, such as `templates.*`. */
export type OperationPattern = OperationName | `${GroupOf<OperationName>}.*`;

/** One endpoint of an operation. */
export interface Route {
  readonly operation: OperationName;
  readonly host: HostName;
  readonly method: string;
  /** The path with its names in braces; see `OPERATIONS`. */
  readonly template: string;
  /** The names of the query's parameters. */
  readonly query: readonly string[];
  /** The body's only field, without and under an account, where the two differ. */
  readonly wrappers: readonly [string, string] | undefined;
  /** Whether the response is not JSON. */
  readonly isRaw: boolean;
  /** The path's segments without an account, and under one if there is such a path. */
  readonly forms: readonly (readonly string[])[];
}

/** A request that an endpoint has been found for. */
export interface Match {
  readonly route: Route;
  /** The arguments in the path, by name. */
  readonly params: Readonly<Record<string, string | number>>;
  /** The account in the path. */
  readonly accountId: number | undefined;
}

const LINE = /^(?:([a-z]+) )?([A-Z]+)([^ ?]*)(?:\?(\S+))?(?: (\w+)>(\w+))?( raw)?$/;

/** The segments of a path in one of its forms. */
const segmentsOf = (template: string, start: string, form: 1 | 2) =>
  (start + template.replace(/\{(\w+)\|(\w+)\}/g, `$${form}`)).split('/');

function routeOf(operation: string, base: string, line: string): Route {
  const [, host = 'api', method = '', path = '', query = '', plain = '', under, raw] = LINE.exec(line) ?? [];
  const template = base + path;
  const rest = template.replace(/^\{account\??\}/, '');
  return {
    operation: operation as OperationName,
    host: host as HostName,
    method,
    template,
    query: query.split(','),
    wrappers: under === undefined ? undefined : [plain, under],
    isRaw: raw !== undefined,
    forms:
      rest === template
        ? [segmentsOf(rest, '', 1)]
        : [segmentsOf(rest, '/api', 1), segmentsOf(rest, '/api/accounts/{0}', 2)],
  };
}

/** Every endpoint there is. */
export const allRoutes = (): Route[] =>
  Object.entries<Readonly<Record<string, string>>>(OPERATIONS).flatMap(
    ([group, { '': base = '', ...rows }]) =>
      Object.entries(rows).flatMap(([name, lines]) =>
        lines.split('; ').map((line) => routeOf(`${group}.${name}`, base, line)),
      ),
  );

/** Whether a pattern of an allow-list names an operation. What is not JSON has to be named in full. */
export const isNamed = (pattern: unknown, { operation, isRaw }: Route): boolean =>
  pattern === operation ||
  (typeof pattern === 'string' &&
    /.\.\*$/.test(pattern) &&
    !isRaw &&
    operation.startsWith(pattern.slice(0, -1)));

/** What a server might decode before it splits the path, or take for the end of a line. */
const SEPARATOR = /[/\\\p{Cc}]/u;

/** The argument in a segment; undefined if it is none. */
function argumentOf(segment: string, kind: string | undefined): string | number | undefined {
  try {
    const text = decodeURIComponent(segment);
    if (SEPARATOR.test(text)) return undefined;
    // As the client writes an id, and in no other way.
    return kind === undefined && String(Number(text)) === text ? Number(text) : text;
  } catch {
    return undefined;
  }
}

/** The arguments in a path, if it has this form; whether they are what they should be is found when it is filled in. */
function argumentsIn(form: readonly string[], segments: readonly string[]): Match['params'] | undefined {
  const params: Record<string, string | number> = {};
  if (form.length !== segments.length) return undefined;
  for (const [index, part] of form.entries()) {
    const segment = segments[index] ?? '';
    const [, name, kind] = /^\{(\w+)(?::(\w+))?\}$/.exec(part) ?? [];
    if (name === undefined) {
      if (part !== segment) return undefined;
      continue;
    }
    const argument = argumentOf(segment, kind);
    if (argument === undefined) return undefined;
    params[name] = argument;
  }
  return params;
}

/** The request's path, rebuilt from the endpoint and the arguments; under the account, where there is one. */
export function fill(
  { fillEndpoint }: Inside,
  { route, params }: Match,
  accountId: number | undefined,
): FilledEndpoint {
  const { method, template } = route;
  const endpoint = template.replace('{account?}', accountId === undefined ? '/api' : '{account}');
  return fillEndpoint(`${method} ${endpoint}`, params, accountId);
}

/** The endpoint that a request is for: `host` and `path` as in the address, the path not decoded. */
export function find(
  inside: Inside,
  routes: readonly Route[],
  method: string,
  host: string,
  path: string,
): Match | undefined {
  const segments = path.split('/');
  for (const route of routes) {
    if (route.method !== method || route.host !== host) continue;
    for (const form of route.forms) {
      const found = argumentsIn(form, segments);
      if (found === undefined) continue;
      // Arguments have names: `0` is the account.
      const { 0: accountId, ...params } = found;
      const match = { route, params, accountId: typeof accountId === 'number' ? accountId : undefined };
      const isWhole = accountId === undefined || match.accountId !== undefined;
      if (isWhole && fill(inside, match, match.accountId).issues.length === 0) return match;
    }
  }
  return undefined;
}
