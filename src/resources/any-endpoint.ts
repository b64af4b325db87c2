import type { Issue } from '../core/errors.ts';
import {
  goneMeansDeleted,
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

const KNOWN = ['method', 'path', 'host', 'query', 'body', 'schema', 'repeatable'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const HOSTS = ['api', 'send', 'bulk', 'sandbox'];

/** What a URL parser would read as "here" or "one up", also in its encoded spellings. */
const DOT_SEGMENT = /\/(\.|%2e){1,2}(\/|$)/i;
/** Rooted, of segments that are not empty, and of characters a path can have. */
const PATH_CHARACTERS = /^(\/([\w.~!$&'()*+,;=:@-]|%[0-9a-f]{2})+)+$/i;

function issuesOf(request: AnyRequest): Issue[] {
  const { method, path, host = 'api' } = request;
  const issues: Issue[] = Object.keys(request)
    .filter((key) => !KNOWN.includes(key))
    .map((key) => ({ path: key, message: 'is not a known field' }));
  if (!METHODS.includes(method)) issues.push({ path: 'method', message: `must be ${METHODS.join(' or ')}` });
  if (!HOSTS.includes(host)) issues.push({ path: 'host', message: `must be ${HOSTS.join(' or ')}` });
  if (typeof path !== 'string' || !PATH_CHARACTERS.test(path) || DOT_SEGMENT.test(path)) {
    issues.push({
      path: 'path',
      message: 'must start with "/", be percent-encoded, and have no dot segment and no query',
    });
  }
  if (method === 'GET' && request.body !== undefined)
    issues.push({ path: 'body', message: 'must not be sent with GET' });
  return issues;
}

/** The request as the transport takes it. */
export function anyEndpoint<T>(request: AnyRequest): RequestSpec<T> {
  const { method, path, host = 'api', query, body, schema, repeatable = false } = request;
  return {
    operation: issuesOf(request).length === 0 ? `${method} ${path}` : 'request',
    method,
    host,
    path,
    query,
    body,
    check: () => issuesOf(request),
    isRepeatable: repeatable || method === 'GET' || method === 'PUT' || method === 'DELETE',
    result: { kind: 'any', checkedBy: schema },
    ...(method === 'DELETE' && { settle: goneMeansDeleted as Settlement<never> }),
  };
}
