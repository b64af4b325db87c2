import type { Issue } from '../core/errors.ts';
import { queryString, type QueryValue } from '../core/query.ts';
import { tried } from '../core/rules.ts';

/** Longer ones get an empty 431 from the service. */
const MAX_QUERY_BYTES = 6_000;

/** Refuses a query that is too long for the service, by the parameter that makes it so. */
export function queryLengthIssues(query: Readonly<Record<string, QueryValue>> = {}): Issue[] {
  const sizes = Object.entries(query).map(([path, value]) => {
    // All of it is percent-encoded, so that a character is a byte. What is not well-formed is refused when it is written.
    const size = tried(() => queryString({ [path]: value }).length, 0);
    return { path, size };
  });
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
  const [longest] = sizes.sort((one, other) => other.size - one.size);
  if (longest === undefined || bytes <= MAX_QUERY_BYTES) return [];
  const message = `makes the query longer than ${MAX_QUERY_BYTES} bytes: split its values among several calls`;
  return [{ path: longest.path, message }];
}
