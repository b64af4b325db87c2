import type { Issue } from '../core/errors.ts';
import { anything, booleanRule, issuesAt, mustBe, objectOf, oneOf } from '../core/rules.ts';
import { isRecord } from '../core/record.ts';
import {
  goneMeansDeleted,
  HOST_NAMES,
  type HostName,
  type HttpMethod,
  type RequestSpec,
  type Settlement,
} from '../core/request.ts';
import type { QueryValue } from '../core/query.ts';
import type { StandardSchema } from '../core/standard-schema.ts';

/** A request to an endpoint that has no method of its own. */
export interface AnyRequest {
  /** The HTTP method. */
  readonly method: HttpMethod;
  /** The path from its root, segments percent-encoded, without a query: `/api/contacts/lists`. */
  readonly path: string;
  /**
   * Which of the service's hosts.
   * @defaultValue 'api'
   */
  readonly host?: HostName | undefined;
  /** Query parameters; nested ones are written in brackets. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Any Standard Schema (zod, valibot, arktype and others) the answer has to fit; its output is the result. */
  readonly schema?: StandardSchema | undefined;
  /**
   * Whether sending the request twice does no more than sending it once: only then is it repeated after a failure that
   * may have reached the service. Always so for GET, PUT and DELETE.
   * @defaultValue false
   */
  readonly repeatable?: boolean | undefined;
}

/** What a URL parser would read as "here" or "one up", also in its encoded spellings. */
const DOT_SEGMENT = /\/(\.|%2e){1,2}(\/|$)/i;
/** Rooted, of segments that are not empty, and of characters a path can have. */
const PATH_CHARACTERS = /^(\/([\w.~!$&'()*+,;=:@-]|%[0-9a-f]{2})+)+$/i;

const requestRule = objectOf<AnyRequest>(
  {
    method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: mustBe(
      'rooted ("/…") and percent-encoded, without dot segments and without a query',
      (path) => typeof path === 'string' && PATH_CHARACTERS.test(path) && !DOT_SEGMENT.test(path),
    ),
    host: oneOf(HOST_NAMES),
    query: mustBe('an object', isRecord),
    body: anything,
    schema: mustBe('a Standard Schema', (schema) => '~standard' in Object(schema)),
    repeatable: booleanRule,
  },
  ['method', 'path'],
);

function issuesOf(request: AnyRequest): Issue[] {
  const issues = issuesAt('', requestRule(request)).map(({ path, message }) => ({
    path: path.slice(1) || 'request',
    message,
  }));
  if (issues.length === 0 && request.method === 'GET' && request.body !== undefined)
    issues.push({ path: 'body', message: 'must not be sent with GET' });
  return issues;
}

/** The request as the transport takes it. */
export function anyEndpoint<T>(request: AnyRequest): RequestSpec<T> {
  const issues = issuesOf(request);
  const {
    method,
    path,
    host = 'api',
    query,
    body,
    schema,
    repeatable = false,
  } = Object(request) as AnyRequest;
  return {
    operation: issues.length === 0 ? `${method} ${path}` : 'request',
    method,
    host,
    path,
    query,
    body,
    check: () => issues,
    isRepeatable: repeatable || method === 'GET' || method === 'PUT' || method === 'DELETE',
    result: { kind: 'any', checkedBy: schema },
    ...(method === 'DELETE' && { settle: goneMeansDeleted as Settlement<never> }),
  };
}
