import type { QueryValue } from '../../core/query.ts';
import type { Route } from './routes.ts';

/** A query in its written form: `{ 'filters[to][value]': ['a'] }`. */
export type Query = Readonly<Record<string, QueryValue>>;

/** The client's limit too: the service reads no longer query. */
const MAX_QUERY_LENGTH = 6_000;

/**
 * Rebuilds the query from the page's address. Undefined if the endpoint has no parameter of a name, or if a parameter
 * that is not a list comes twice: servers differ in which value they use.
 */
export function queryOf({ query: known }: Route, search: string): Query | undefined {
  if (search === '') return {};
  if (search.length > MAX_QUERY_LENGTH) return undefined;
  const query = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const [, first = '', list] = /^(\w+)(?:\[\w+\])*(\[\])?$/.exec(name) ?? [];
    if (first === '' || !known.includes(first)) return undefined;
    const key = list === undefined ? name : name.slice(0, -list.length);
    const before = query.get(key);
    if (before === undefined) query.set(key, list === undefined ? value : [value]);
    else if (list !== undefined && Array.isArray(before)) before.push(value);
    else return undefined;
  }
  return Object.fromEntries(query);
}

/**
 * Renames the filter by domain, which email logs call `sending_domain_id` under an account. Sends both names, because
 * the service ignores the other one.
 */
export function underAccount(query: Query): Query {
  const renamed = Object.entries(query).map(
    ([name, value]) => [name.replace(/^filters\[domain_id\]/, 'filters[sending_domain_id]'), value] as const,
  );
  return { ...query, ...Object.fromEntries(renamed) };
}
