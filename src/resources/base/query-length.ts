import type { Issue } from '../../core/errors.ts';
import { queryString, type QueryValue } from '../../core/query.ts';

export type Query = Readonly<Record<string, QueryValue>>;

/** The service answers a longer query with a 431 without a body. */
const MAX_QUERY_BYTES = 6_000;

/** The length in bytes: the query is percent-encoded, so each character is a byte. */
const bytesOf = (query: Query) => queryString(query).length;

/**
 * Refuses a query that is too long for the service, and names the longest parameter; throws for a query that cannot be
 * serialized.
 */
export function queryLengthIssues(query: Query): Issue[] {
  if (bytesOf(query) <= MAX_QUERY_BYTES) return [];
  const sizeOf = (name: string) => bytesOf({ [name]: query[name] });
  const [path = 'params'] = Object.keys(query).sort((one, other) => sizeOf(other) - sizeOf(one));
  const message = `makes the query longer than ${MAX_QUERY_BYTES} bytes: split it`;
  return [{ path, message }];
}
