import { late } from '../kit/late.ts';
import { allOf, anything, booleanRule, issuesAt, mustBe, objectOf, oneOf, type Rule } from '../core/rules.ts';
import { isolated } from '../core/isolated.ts';
import { isRecord } from '../core/record.ts';
import { reachesNoPerson, secretFieldsAt } from './endpoints.ts';
import { goneMeansDeleted } from './base/request-to.ts';
import { HOST_NAMES, type HostName, type HttpMethod, type RequestSpec } from '../core/request.ts';
import { isScalar, paramIssues } from './base/param-rules.ts';
import { isDotSegment } from '../core/path.ts';
import type { QueryValue } from '../core/query.ts';
import { schemaRule, type StandardSchema } from '../core/standard-schema.ts';
import { isPromise, tried } from '../core/tried.ts';

/** A request for `client.request`: any endpoint of the service, with or without a method of its own. */
export interface AnyRequest {
  /** HTTP method. */
  readonly method: HttpMethod;
  /**
   * Absolute path with percent-encoded segments and without a query, such as `/api/webhooks`. The client refuses a path
   * that a server might read differently: empty or dot segments, encoded or not, and encoded slashes and backslashes.
   */
  readonly path: string;
  /**
   * Host to send the request to, as named in the client's `hosts` option.
   * @defaultValue 'api'
   */
  readonly host?: HostName | undefined;
  /** Query parameters. Objects and arrays are sent in brackets, Dates as ISO 8601. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Request body, sent as JSON; not allowed with GET. */
  readonly body?: unknown;
  /** A Standard Schema (zod, valibot, arktype and others) that the response has to match; its output is the result. */
  readonly schema?: StandardSchema | undefined;
  /**
   * Whether sending the request twice has the same effect as sending it once. Only such a request is retried after a
   * failure that may have reached the service. Always true for GET, PUT and DELETE.
   * @defaultValue false
   */
  readonly repeatable?: boolean | undefined;
}

/**
 * An absolute path with non-empty segments of allowed characters. Excludes encoded separators and control characters,
 * which a server might decode before it splits the path.
 */
const PATH = /^(\/([\w.~!$&'()*+,;=:@-]|%(?!2f|5c|7f|[01])[0-9a-f]{2})+)+$/i;

/** More values than the service reads. The limit ends a query that contains itself. */
const MAX_VALUES = 1_000;

/** Refuses values that the service cannot read: it would ignore such a filter and return everything. */
function queryRule(query: unknown): ReturnType<Rule> {
  let values = 0;
  const partRule: Rule = (part) => {
    if (typeof part !== 'object' || part === null || part instanceof Date)
      return part === undefined ? undefined : queryValueRule(part);
    values += Array.isArray(part) ? part.length : Object.keys(part).length;
    if (values > MAX_VALUES) return undefined;
    return Object.entries(part).flatMap(([name, value]) => issuesAt(`.${name}`, partRule(value)));
  };
  const found = isRecord(query) ? partRule(query) : 'must be an object';
  return values > MAX_VALUES ? `must have at most ${MAX_VALUES} values` : found;
}

const queryValueRule = mustBe(
  'a string, a finite number, true or false, or a valid Date',
  (value) => isScalar(value) || (value instanceof Date && !Number.isNaN(value.getTime())),
);

const pathRule = mustBe(
  'an absolute path, percent-encoded, without dot segments, encoded separators and a query: use `query`',
  (path) => typeof path === 'string' && PATH.test(path) && !path.split('/').some(isDotSegment),
);

const requestRule = late(() =>
  allOf(
    objectOf<AnyRequest>(
      {
        method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
        path: pathRule,
        host: oneOf(HOST_NAMES),
        query: queryRule,
        body: anything,
        schema: schemaRule,
        repeatable: booleanRule,
      },
      ['method', 'path'],
    ),
    (request) => {
      const { method, body } = request as AnyRequest;
      return method === 'GET' && body !== undefined
        ? [{ path: '.body', message: 'must not be sent with GET' }]
        : undefined;
    },
  ),
);

/** The request as data for the transport. */
export function anyEndpoint<T>(request: AnyRequest): RequestSpec<T> {
  // Read once, so that the checked values are sent.
  const given = tried(
    () => (isRecord(request) && !isPromise(request) ? isolated(request) : request),
    () => request,
  );
  const issues = paramIssues(requestRule(), given, '', 'request');
  // A refused path may be any text, also a secret.
  const sent: AnyRequest = issues.length === 0 ? given : { method: 'GET', path: '(refused)' };
  const { method, path, host = 'api', query, body, schema, repeatable } = sent;
  return {
    operation: issues.length === 0 ? `${method} ${path}` : 'request',
    method,
    host,
    path,
    query: () => query,
    body: () => body,
    check: () => issues,
    repeatable,
    reaches: () => (reachesNoPerson(method, host, path) ? false : undefined),
    // The response has the same secrets as the declared endpoint at this path.
    decoder: { kind: 'any', checkedBy: schema, ...secretFieldsAt(method, host, path) },
    ifLost: method === 'DELETE' ? goneMeansDeleted<T>(undefined as T) : undefined,
  };
}
