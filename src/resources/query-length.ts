import type { Issue } from '../core/errors.ts';
import { queryString, type QueryValue } from '../core/query.ts';

/** Longer ones get an empty 431 from the service. */
const MAX_QUERY_BYTES = 6_000;

const bytesOf = (query: Readonly<Record<string, QueryValue>>): number => {
  try {
    // All of it is percent-encoded, so that a character is a byte.
    return queryString(query).length;
  } catch {
    // Not well-formed: refused as such, when the query is written.
    return 0;
  }
};

/** Refuses a query that is too long for the service, by the parameter that makes it so. */
export function queryLengthIssues(query: Readonly<Record<string, QueryValue>> = {}): Issue[] {
  const bytes = bytesOf(query);
  if (bytes <= MAX_QUERY_BYTES) return [];
  const sizes = Object.entries(query).map(([path, value]) => ({ path, size: bytesOf({ [path]: value }) }));
  const [longest] = sizes.sort((one, other) => other.size - one.size);
  const message = `makes the query ${bytes} bytes long, and the service reads at most ${MAX_QUERY_BYTES}`;
  return [{ path: longest?.path ?? 'query', message: `${message}; split its values among several calls` }];
}
