import type { QueryValue } from '../core/query.ts';
import type { Route } from './routes.ts';

/** A query, written out: `{ 'filters[to][value]': ['a'] }`. */
export type Query = Readonly<Record<string, QueryValue>>;

/** As of the client: the service reads no longer ones. */
const MAX_QUERY_LENGTH = 6_000;

/**
 * The query to send, made anew from the one in the address; undefined where the endpoint has no parameter of a name, or
 * where a parameter that is no list comes twice: servers differ in which of the two they believe.
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

/** Email logs name the domain differently under an account, and ignore the other name: both are sent. */
export function underAccount(query: Query): Query {
  const renamed = Object.entries(query).map(
    ([name, value]) => [name.replace(/^filters\[domain_id\]/, 'filters[sending_domain_id]'), value] as const,
  );
  return { ...query, ...Object.fromEntries(renamed) };
}
