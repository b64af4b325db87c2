/** The value of a query parameter: a scalar, a Date (sent as ISO 8601), or an object or array of such values. */
export type QueryValue =
  | string
  | number
  | boolean
  | Date
  | undefined
  | readonly QueryValue[]
  | { readonly [key: string]: QueryValue };

function append(parts: string[], name: string, value: QueryValue): void {
  if (value === undefined) return;
  if (value instanceof Date) append(parts, name, value.toISOString());
  else if (typeof value !== 'object') parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  else {
    for (const [key, item] of Object.entries<QueryValue>(value))
      append(parts, `${name}[${Array.isArray(value) ? '' : key}]`, item);
  }
}

/** The query string with its `?`, or `''`; `{ filters: { to: ['a'] } }` becomes `filters[to][]=a`, percent-encoded. */
export function queryString(query: Readonly<Record<string, QueryValue>> = {}): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) append(parts, name, value);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
