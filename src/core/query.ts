/** The value of a query parameter: a scalar, a Date (sent as ISO 8601), or an object or array of such values. */
export type QueryValue =
  | string
  | number
  | boolean
  | Date
  | undefined
  | readonly QueryValue[]
  | { readonly [key: string]: QueryValue };

const pairsOf = (name: string, value: QueryValue): string[] => {
  if (value === undefined) return [];
  if (value instanceof Date) return pairsOf(name, value.toISOString());
  if (typeof value !== 'object') return [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`];
  return Object.entries<QueryValue>(value).flatMap(([key, item]) =>
    pairsOf(`${name}[${Array.isArray(value) ? '' : key}]`, item),
  );
};

/** The query string with its `?`, or `''`; `{ filters: { to: ['a'] } }` becomes `filters[to][]=a`, percent-encoded. */
export function queryString(query: Readonly<Record<string, QueryValue>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => pairsOf(name, value));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
