import type { Issue } from '../core/errors.ts';
import { queryString, type QueryValue } from '../core/query.ts';

export type Query = Readonly<Record<string, QueryValue>>;

/** Longer ones get an empty 431 from the service. */
const MAX_QUERY_BYTES = 6_000;

/** All of it is percent-encoded, so that a character is a byte. */
const bytesOf = (query: Query) => queryString(query).length;

/** Refuses a query that is too long for the service, by the parameter that makes it so; throws for one that cannot be written. */
export function queryLengthIssues(query: Query): Issue[] {
  if (bytesOf(query) <= MAX_QUERY_BYTES) return [];
  const sizeOf = (name: string) => bytesOf({ [name]: query[name] });
  const [path = 'params'] = Object.keys(query).sort((one, other) => sizeOf(other) - sizeOf(one));
  const message = `makes the query longer than ${MAX_QUERY_BYTES} bytes: split it`;
  return [{ path, message }];
}
