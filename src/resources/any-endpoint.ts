import type { Issue } from '../core/errors.ts';
import { anything, booleanRule, issuesAt, mustBe, objectOf, oneOf } from '../core/rules.ts';
import { isRecord } from '../core/record.ts';
import {
  HOST_NAMES,
  type HostName,
  type HttpMethod,
  type RequestSpec,
  type Settlement,
} from '../core/request.ts';
import { isDotSegment } from '../core/path.ts';
import type { QueryValue } from '../core/query.ts';
import type { StandardSchema } from '../core/standard-schema.ts';
import { goneMeansDeleted } from './readers.ts';

/** A request for `client.request`: any endpoint of the service, with or without a method of its own. */
export interface AnyRequest {
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Absolute path with percent-encoded segments and without a query, such as `/api/webhooks`. */
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
  /** A Standard Schema (zod, valibot, arktype and others) that the response has to fit; its output is the result. */
  readonly schema?: StandardSchema | undefined;
  /**
   * Whether sending the request twice has the same effect as sending it once: only then is it retried after a failure
   * that may have reached the service. Always true for GET, PUT and DELETE.
   * @defaultValue false
   */
  readonly repeatable?: boolean | undefined;
}

/** An absolute path whose segments are not empty, of characters that are allowed in a path. */
const PATH_CHARACTERS = /^(\/([\w.~!$&'()*+,;=:@-]|%[0-9a-f]{2})+)+$/i;

/** A value the service cannot read could be a filter that is then ignored: everything would be returned. */
const queryIssues = (values: object): Issue[] =>
  Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null && !(value instanceof Date))
      return issuesAt(`.${name}`, queryIssues(value));
    return issuesAt(`.${name}`, value === undefined ? undefined : queryValueRule(value));
  });

const queryValueRule = mustBe(
  'a string, a finite number, a boolean, a valid Date, or a list or an object of them',
  (value) =>
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value)) ||
    (value instanceof Date && !Number.isNaN(value.getTime())),
);

const requestRule = objectOf<AnyRequest>(
  {
    method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: mustBe(
      'an absolute path ("/…"), percent-encoded, without dot segments or a query',
      (path) => typeof path === 'string' && PATH_CHARACTERS.test(path) && !path.split('/').some(isDotSegment),
    ),
    host: oneOf(HOST_NAMES),
    query: (query) => (isRecord(query) ? queryIssues(query) : 'must be an object'),
    body: anything,
    schema: mustBe('a Standard Schema', (schema) => '~standard' in Object(schema)),
    repeatable: booleanRule,
  },
  ['method', 'path'],
);

function requestIssues(request: AnyRequest): Issue[] {
  const issues = issuesAt('', requestRule(request)).map(({ path, message }) => ({
    path: path.slice(1) || 'request',
    message,
  }));
  if (issues.length === 0 && request.method === 'GET' && request.body !== undefined)
    issues.push({ path: 'body', message: 'must not be sent with GET' });
  return issues;
}

/** The request as data for the transport. */
export function anyEndpoint<T>(request: AnyRequest): RequestSpec<T> {
  const issues = requestIssues(request);
  const { method, path, host = 'api', query, body, schema, repeatable } = Object(request) as AnyRequest;
  return {
    operation: issues.length === 0 ? `${method} ${path}` : 'request',
    method,
    host,
    path,
    query,
    body,
    check: () => issues,
    repeatable,
    result: { kind: 'any', checkedBy: schema },
    ...(method === 'DELETE' && { settle: goneMeansDeleted as Settlement<never> }),
  };
}
